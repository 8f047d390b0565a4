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
        case .forbidden(let scalar):
            "has \(Self.name(of: scalar)); hub tags allow letters, digits and _ @ # . : -"
        }
    }

    /// The first fault of a name, or nil when it is good.
    static func first(in text: String) -> UsernameFault? {
        if text.isEmpty { return .empty }
        if !text.utf8.allSatisfy(isAllowed) {
            let bad = text.unicodeScalars.first { !$0.isASCII || !isAllowed(UInt8($0.value)) }
            return .forbidden(bad ?? "\u{FFFD}")
        }
        let count = text.utf8.count
        return count > Username.maximumLength ? .tooLong(characters: count) : nil
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "@"),
            UInt8(ascii: "#"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"):
            true
        default:
            false
        }
    }

    private static func name(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case " ": "a space"
        case "\t": "a tab"
        case ",": "a comma"
        case "\u{21}"..."\u{7E}": "the character \(scalar)"
        default: "the character U+" + hexadecimal(scalar.value)
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
