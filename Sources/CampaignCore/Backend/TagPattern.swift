/// Tags that devices may ask for: one tag, or with a `*` at the end all that begin so.
///
/// No pattern can be made that takes in a tag by which people are addressed (`username:`, `from:`) or which the hub
/// keeps for itself (`$…`), in any case.
package struct TagPattern: Hashable, Sendable, CustomStringConvertible {
    private static let reserved = ["username:", "from:"]

    /// The pattern as it is written.
    package let text: String
    private let beginning: String
    private let isOpen: Bool

    /// Reads a pattern.
    ///
    /// - Parameter text: 1 to 120 characters of those that a tag may have, and maybe a `*` behind them.
    package init(_ text: String) throws(TagPatternFault) {
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

    /// Whether a tag, checked whole, is one of those.
    package func matches(_ tag: String) -> Bool {
        guard 1...HubTag.maximumLength ~= tag.utf8.count, HubTag.allows(tag) else { return false }
        let folded = tag.lowercased()
        guard !Self.reserved.contains(where: folded.hasPrefix) else { return false }
        return isOpen ? tag.hasPrefix(beginning) : tag == beginning
    }

    package var description: String { text }
}

/// Why a text is not a pattern of tags that devices may ask for.
package enum TagPatternFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has a character that tags do not allow, or is empty or too long.
    case notATag
    /// It would take in tags that address people or are the hub's own.
    case reserved

    package var description: String {
        switch self {
        case .notATag:
            "is not a tag: use 1 to 120 letters, digits and _ @ # . : -, with a * at the end for all that begin so"
        case .reserved:
            "could match username:, from: or $ tags, with which a device would get other people's pushes"
        }
    }
}
