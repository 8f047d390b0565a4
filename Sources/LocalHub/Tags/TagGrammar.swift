import HTTPServing

/// What tags may be made of, and the limits of expressions (reference, section 4).
enum TagGrammar {
    /// The longest plain tag, in characters.
    static let longestTag = 120
    /// The longest text within `$UserId:{…}` and `$InstallationId:{…}`, in characters; our own bound.
    static let longestSpecial = 256
    /// The most tags of an expression that has no operator but `||`.
    static let mostAlternatives = 20
    /// The most tags of any other expression.
    static let mostTags = 6
    /// The deepest nesting of parentheses and `!`; our own bound, far beyond what six tags need.
    static let deepestNesting = 32

    /// Whether a byte may stand in a plain tag.
    static func isTagByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "-_@#.:".utf8.contains(byte)
    }

    /// Whether a byte may stand within the braces of `$UserId:{…}` and `$InstallationId:{…}`.
    static func isSpecialByte(_ byte: UInt8) -> Bool {
        isTagByte(byte) || byte == UInt8(ascii: "=")
    }

    /// Whether a text is a plain tag.
    static func isTag(_ text: String) -> Bool {
        let bytes = text.utf8
        return !bytes.isEmpty && bytes.count <= longestTag && bytes.allSatisfy(isTagByte)
    }

    /// Whether a text is a special tag: `$UserId:{…}` or `$InstallationId:{…}`.
    static func isSpecialTag(_ text: String) -> Bool {
        for opening in ["$UserId:{", "$InstallationId:{"]
        where text.hasPrefix(opening) && text.hasSuffix("}") {
            let inner = text.utf8.dropFirst(opening.utf8.count).dropLast()
            return (1...longestSpecial).contains(inner.count) && inner.allSatisfy(isSpecialByte)
        }
        return false
    }
}

/// The rules for the tags of a registration or installation (reference, section 4).
enum TagRules {
    static let mostTags = 60

    /// Checks tags as a client sent them, and takes repeats out; throws a 400 for the first rule that is broken.
    ///
    /// Only where special tags are allowed, one `$UserId:{…}` and one `$InstallationId:{…}` may be among them.
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
