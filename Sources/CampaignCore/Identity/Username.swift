/// A user's name, as it appears after `username:` in a hub tag.
///
/// It has 1 to 111 of the characters `A-Z a-z 0-9 _ @ # . : -`, because a tag has at most 120
/// characters. Names are compared by bytes.
package struct Username: Hashable, Sendable, Comparable, CustomStringConvertible {
    package static let maximumLength = 111

    package let text: String

    package init(_ text: String) throws(UsernameError) {
        if let problem = UsernameError.first(in: text) { throw problem }
        self.text = text
    }

    /// Skips the check, for example for a name read from the store.
    package init(checked text: String) {
        self.text = text
    }

    /// Replaces the name of a forgotten person in the store; no person has this name.
    package static let nameless = Username(checked: "")

    package var tag: String { "username:" + text }

    package var description: String { text }

    package static func < (left: Username, right: Username) -> Bool {
        // Names are ASCII, so this is the order of their bytes, but faster to compute.
        left.text < right.text
    }
}

package enum UsernameError: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    case tooLong(characters: Int)
    case forbidden(Unicode.Scalar)

    package var description: String {
        switch self {
        case .empty:
            "is empty"
        case .tooLong(let characters):
            "has \(characters) characters; a username has at most \(Username.maximumLength)"
        case .forbidden(let scalar) where scalar.isCurlyQuote:
            "has the curly quote \(scalar); use straight quotes or none"
        case .forbidden(let scalar):
            "has \(Self.name(of: scalar)); usernames may contain letters, digits and _ @ # . : -"
        }
    }

    /// Whether the error is a quote, which suggests that the name is in quotes.
    package var isQuote: Bool {
        if case .forbidden(let scalar) = self {
            scalar == "\"" || scalar.isCurlyQuote
        } else {
            false
        }
    }

    static func first(in text: String) -> UsernameError? {
        if text.isEmpty { return .empty }
        if !HubTag.allows(text) {
            let bad = text.unicodeScalars.first {
                !$0.isASCII || !HubTag.isAllowed(UInt8($0.value))
            }
            return .forbidden(bad ?? "\u{FFFD}")
        }
        let count = text.utf8.count
        return count > Username.maximumLength ? .tooLong(characters: count) : nil
    }

    private static func name(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case " ": "a space"
        case "\t": "a tab"
        case "\n", "\r": "a line break"
        case ",": "a comma"
        case "\"": "a quote"
        case "'", "’": "an apostrophe"
        case "\u{A0}", "\u{202F}": "a no-break space"
        case "\u{21}"..."\u{7E}": "the character \"\(scalar)\""
        case _ where Blanks.isBlank(scalar):
            "the invisible character \(VisibleText.codePoint(scalar))"
        default: "the character \(VisibleText.codePoint(scalar))"
        }
    }
}

extension Unicode.Scalar {
    /// Whether a character is a quote as word processors and phones write it, in any country; `’`
    /// is also an apostrophe.
    package var isCurlyQuote: Bool { "“”„‟‘‚‛«»‹›".unicodeScalars.contains(self) }
}

enum HubTag {
    static let maximumLength = 120

    /// Whether all characters are allowed in a tag.
    ///
    /// Reads the bytes in place, because every name is checked when it is read from a file and
    /// again from the store.
    static func allows(_ text: String) -> Bool {
        let isAllowed = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe bytes.allSatisfy { Self.isAllowed($0) }
        }
        return isAllowed ?? text.utf8.allSatisfy { Self.isAllowed($0) }
    }

    static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "@"),
            UInt8(ascii: "#"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"):
            true
        default:
            false
        }
    }
}
