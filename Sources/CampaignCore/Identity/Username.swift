/// The name of one user, as it stands behind `username:` in a hub tag.
///
/// 1 to 111 characters of `A-Z a-z 0-9 _ @ # . : -`, so that `username:<name>` keeps within the hub's 120
/// characters a tag. Names are compared exactly, by their bytes.
package struct Username: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The most characters a name may have.
    package static let maximumLength = 111

    /// The name, without the tag's prefix.
    package let text: String

    /// Checks a name.
    ///
    /// - Parameter text: the bare name.
    /// - Throws: ``UsernameFault`` when it is empty, too long or has a character that hub tags do not allow.
    package init(_ text: String) throws(UsernameFault) {
        if let fault = UsernameFault.first(in: text) { throw fault }
        self.text = text
    }

    /// Takes a name that was checked before, such as one read back from the store.
    package init(checked text: String) {
        self.text = text
    }

    /// Stands in the store where the name of somebody stood who was forgotten; nobody's name.
    package static let nameless = Username(checked: "")

    /// The hub tag that addresses this user.
    package var tag: String { "username:" + text }

    package var description: String { text }

    package static func < (left: Username, right: Username) -> Bool {
        // Of ASCII, the order of texts is that of their bytes, and quicker to find.
        left.text < right.text
    }
}

/// Why a text cannot be a username.
package enum UsernameFault: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    case tooLong(characters: Int)
    case forbidden(Unicode.Scalar)

    package var description: String {
        switch self {
        case .empty:
            "is empty"
        case .tooLong(let characters):
            "has \(characters) characters; a username has at most \(Username.maximumLength)"
        case .forbidden(let scalar) where Self.isCurlyQuote(scalar):
            "has a curly quote \(scalar); type straight ones, or none"
        case .forbidden(let scalar):
            "has \(Self.name(of: scalar)); usernames may have letters, digits and _ @ # . : -"
        }
    }

    /// Whether the name stands in quotes.
    package var isQuote: Bool {
        if case .forbidden(let scalar) = self {
            scalar == "\"" || Self.isCurlyQuote(scalar)
        } else {
            false
        }
    }

    /// The first fault of a name, or nil when it is good.
    static func first(in text: String) -> UsernameFault? {
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

    /// Whether it is a quote as word processors and phones write it, in any country.
    private static func isCurlyQuote(_ scalar: Unicode.Scalar) -> Bool {
        "“”„‟‘‚‛«»‹›".unicodeScalars.contains(scalar)
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

/// What a tag of the hub may be (hub reference, section 5).
enum HubTag {
    static let maximumLength = 120

    /// Whether a text has no character that a tag may not have.
    ///
    /// Reads the bytes in place: every name is checked when it is read from a file, and again when it is read from the store.
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
