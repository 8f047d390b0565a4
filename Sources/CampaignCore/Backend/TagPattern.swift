/// Tags that devices may register for: a tag, or a prefix with `*`.
///
/// A pattern must not match tags that address people (`username:`, `from:`) or the hub's own tags
/// (`$…`), in any case.
package struct TagPattern: Hashable, Sendable, CustomStringConvertible {
    private static let reserved = ["username:", "from:"]

    package let text: String
    private let beginning: String
    private let isOpen: Bool

    /// Reads 1 to 120 tag characters and an optional final `*`.
    package init(_ text: String) throws(TagPatternError) {
        self.text = text
        isOpen = text.hasSuffix("*")
        beginning = String(isOpen ? text.dropLast() : Substring(text))
        guard (isOpen ? 0 : 1)...HubTag.maximumLength ~= beginning.utf8.count,
            HubTag.allows(beginning)
        else { throw beginning.hasPrefix("$") ? .reserved : .notATag }
        let folded = beginning.lowercased()
        for prefix in Self.reserved
        where folded.hasPrefix(prefix) || isOpen && prefix.hasPrefix(folded) {
            throw .reserved
        }
    }

    package func matches(_ tag: String) -> Bool {
        guard 1...HubTag.maximumLength ~= tag.utf8.count, HubTag.allows(tag) else { return false }
        let folded = tag.lowercased()
        guard !Self.reserved.contains(where: folded.hasPrefix) else { return false }
        return isOpen ? tag.hasPrefix(beginning) : tag == beginning
    }

    package var description: String { text }
}

package enum TagPatternError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The pattern is empty or too long, or contains a character that tags cannot have.
    case notATag
    /// The pattern would match tags that address people, or the hub's own tags.
    case reserved

    package var description: String {
        switch self {
        case .notATag:
            "is not a valid tag: use 1 to 120 letters, digits and _ @ # . : -, and optionally a final * for any ending"
        case .reserved:
            "could match username:, from: or $ tags, which would give a device other people's pushes"
        }
    }
}
