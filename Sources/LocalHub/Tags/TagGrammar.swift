import HTTPServing

/// The grammar of tags and the limits of expressions.
enum TagGrammar {
    /// The maximum length of a tag in characters.
    static let longestTag = 120
    /// The maximum length of the text in the braces of a special tag; this limit is specific to the
    /// local hub.
    static let longestSpecial = 256
    /// The maximum number of tags in an expression whose only operator is `||`.
    static let mostAlternatives = 20
    static let mostTags = 6
    /// The maximum nesting depth of parentheses and `!`.
    ///
    /// This limit is specific to the local hub, but it is far higher than six tags require.
    static let deepestNesting = 32

    static func isTagByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "-_@#.:".utf8.contains(byte)
    }

    /// Whether a byte is allowed in the braces of `$UserId:{…}` and `$InstallationId:{…}`.
    static func isSpecialByte(_ byte: UInt8) -> Bool {
        isTagByte(byte) || byte == UInt8(ascii: "=")
    }

    static func isTag(_ text: String) -> Bool {
        let bytes = text.utf8
        return !bytes.isEmpty && bytes.count <= longestTag && bytes.allSatisfy(isTagByte)
    }

    static func isSpecialTag(_ text: String) -> Bool {
        for opening in ["$UserId:{", "$InstallationId:{"]
        where text.hasPrefix(opening) && text.hasSuffix("}") {
            let inner = text.utf8.dropFirst(opening.utf8.count).dropLast()
            return (1...longestSpecial).contains(inner.count) && inner.allSatisfy(isSpecialByte)
        }
        return false
    }
}

/// The rules for the tags of a registration or installation.
enum TagRules {
    static let mostTags = 60

    /// Checks tags and removes duplicates; throws a 400 for the first problem.
    ///
    /// If special tags are allowed, there can be only one `$UserId:{…}` and one
    /// `$InstallationId:{…}`.
    static func checked(
        _ tags: [String], allowsSpecial: Bool
    ) throws(HubFailure) -> [String] {
        var seen: Set<String> = []
        let unique = tags.filter { seen.insert($0).inserted }
        guard unique.count <= mostTags else {
            throw .badRequest("There are more than \(mostTags) tags.")
        }
        for tag in unique where !TagGrammar.isTag(tag) {
            guard allowsSpecial, TagGrammar.isSpecialTag(tag) else {
                throw .badRequest(
                    "The tag \(ClientText.quoted(tag)) is invalid; use 1 to 120 letters, digits and "
                        + "_ @ # . : -")
            }
        }
        for special in ["$UserId:{", "$InstallationId:{"]
        where unique.count(where: { $0.hasPrefix(special) }) > 1 {
            throw .badRequest("There is more than one tag of the form \(special)…}.")
        }
        return unique
    }
}
