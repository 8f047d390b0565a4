import CampaignCore

/// Finds a person's name where it is quoted in a message from a service.
package struct QuotedName {
    /// The prefix of the name in any tag.
    private static let tag = Array(Username.nameless.tag.utf8)

    private let name: [UInt8]

    package init(_ name: String) {
        self.name = Array(name.utf8)
    }

    /// Returns a message up to the first occurrence of the name as a word or up to the first tag,
    /// because a message may list several people.
    package func cut(from text: String) -> String {
        let bytes = Array(text.utf8)
        for start in bytes.indices {
            if stands(in: bytes, at: start) {
                return String(decoding: bytes[..<start], as: UTF8.self)
            }
            if bytes[start] == Self.tag[0], bytes[start...].starts(with: Self.tag) {
                return String(decoding: bytes[..<(start + Self.tag.count)], as: UTF8.self)
            }
        }
        return text
    }

    private func stands(in bytes: [UInt8], at start: Int) -> Bool {
        let end = start + name.count
        return !name.isEmpty && end <= bytes.count && bytes[start] == name[0]
            && bytes[start..<end] == name[...]
            && (start == 0 || !Self.isWordly(bytes[start - 1]))
            && (end == bytes.count || !Self.isWordly(bytes[end]))
    }

    private static func isWordly(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte >= 0x80
    }
}
