/// A part of users' names to search for, without regard to case.
///
/// A search looks at each of a million devices, so names in ASCII, as those of tags are, are compared byte by
/// byte and without a copy.
struct UserSearch: Sendable {
    private let part: String
    /// The part in lower case when it is ASCII; nil when it is not.
    private let bytes: [UInt8]?

    /// Searches for a part.
    ///
    /// - Parameter part: the part, not empty.
    init(_ part: String) {
        self.part = part.lowercased()
        bytes = part.utf8.allSatisfy { $0 < 0x80 } ? Array(self.part.utf8) : nil
    }

    /// Whether a registration belongs to a user with this part in the name.
    func matches(_ registration: Registration) -> Bool {
        registration.tags.contains(where: matches(tag:))
    }

    private func matches(tag: String) -> Bool {
        let start = tag.utf8.first
        guard start == UInt8(ascii: "u") || start == UInt8(ascii: "$"),
            let name = UserNames.name(inTag: tag)
        else { return false }
        return matches(name: name)
    }

    /// Whether a name has this part.
    func matches(name: String) -> Bool {
        guard let bytes, name.utf8.allSatisfy({ $0 < 0x80 }) else {
            return name.lowercased().contains(part)
        }
        var name = name
        return name.withUTF8 { unsafe Self.contains($0.span, bytes) }
    }

    private static func contains(_ name: Span<UInt8>, _ part: [UInt8]) -> Bool {
        guard name.count >= part.count else { return false }
        for start in 0...name.count - part.count {
            var length = 0
            while length < part.count, lowercased(name[start + length]) == part[length] {
                length += 1
            }
            if length == part.count { return true }
        }
        return false
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
