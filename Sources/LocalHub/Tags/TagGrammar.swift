import HTTPServing

/// What tags may be made of, and the limits of expressions.
enum TagGrammar {
    /// In characters.
    static let longestTag = 120
    /// The longest text within the braces of a special tag; this hub's own limit.
    static let longestSpecial = 256
    /// The most tags of an expression that only has `||`.
    static let mostAlternatives = 20
    static let mostTags = 6
    /// The deepest nesting of parentheses and `!`; this hub's own limit, far beyond what six tags
    /// need.
    static let deepestNesting = 32

    static func isTagByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "-_@#.:".utf8.contains(byte)
    }

    /// Whether a byte may stand within the braces of `$UserId:{…}` and `$InstallationId:{…}`.
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

    /// Checks tags and removes repeats; throws a 400 for the first broken rule.
    ///
    /// If special tags are allowed, there may be one `$UserId:{…}` and one `$InstallationId:{…}`.
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
                    "The tag \(ClientText.quoted(tag)) is not 1 to 120 letters, digits and "
                        + "_ @ # . : -")
            }
        }
        for special in ["$UserId:{", "$InstallationId:{"]
        where unique.count(where: { $0.hasPrefix(special) }) > 1 {
            throw .badRequest("There is more than one tag of the kind \(special)…}.")
        }
        return unique
    }
}
