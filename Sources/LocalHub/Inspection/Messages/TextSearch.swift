/// A text to search for in users' names and in what was sent, without regard to case.
///
/// Bodies are compared byte by byte and without a copy; only where one may hide the text behind escapes of JSON, or the
/// text has other letters than ASCII's, is the body read.
struct TextSearch: Sendable {
    private let part: String
    /// The part in lower case when it is ASCII; nil when it is not.
    private let bytes: [UInt8]?
    private let users: UserSearch

    /// Searches for a text.
    ///
    /// - Parameter part: the text, not empty.
    init(_ part: String) {
        self.part = part.lowercased()
        bytes = part.utf8.allSatisfy { $0 < 0x80 } ? Array(self.part.utf8) : nil
        users = UserSearch(part)
    }

    /// Whether a registration belongs to a user with this text in the name.
    func matchesUser(_ registration: Registration) -> Bool {
        users.matches(registration)
    }

    /// Whether a text has this one in it.
    func matches(_ text: String) -> Bool {
        text.lowercased().contains(part)
    }

    /// Whether a body has this text in it, as it was sent or as its reader reads it.
    func matches(_ body: [UInt8]) -> Bool {
        if let bytes {
            if Self.contains(body.span, bytes) { return true }
            guard body.contains(UInt8(ascii: "\\")) else { return false }
        }
        return matches(Self.unescaped(body))
    }

    private static func contains(_ text: borrowing Span<UInt8>, _ part: [UInt8]) -> Bool {
        guard text.count >= part.count else { return false }
        let first = part[0]
        for start in 0...text.count - part.count where lowercased(text[start]) == first {
            var length = 1
            while length < part.count, lowercased(text[start + length]) == part[length] {
                length += 1
            }
            if length == part.count { return true }
        }
        return false
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// A text without the escapes of JSON; what is no escape stays as it is.
    private static func unescaped(_ body: [UInt8]) -> String {
        let units = Array(String(decoding: body, as: UTF8.self).utf16)
        var plain: [UInt16] = []
        plain.reserveCapacity(units.count)
        var place = 0
        while place < units.count {
            guard units[place] == UInt16(UInt8(ascii: "\\")), place + 1 < units.count else {
                plain.append(units[place])
                place += 1
                continue
            }
            switch UInt8(exactly: units[place + 1]) {
            case UInt8(ascii: "u"):
                let digits = String(decoding: units[(place + 2)...].prefix(4), as: UTF16.self)
                if digits.utf8.count == 4, let unit = UInt16(digits, radix: 16) {
                    plain.append(unit)
                    place += 6
                } else {
                    plain.append(units[place])
                    place += 1
                }
            case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
                plain.append(UInt16(UInt8(ascii: " ")))
                place += 2
            default:
                plain.append(units[place + 1])
                place += 2
            }
        }
        return String(decoding: plain, as: UTF16.self)
    }
}
