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
        matches(tags: registration.tags)
    }

    /// Whether there is a user with this part in the name among some tags.
    func matches(tags: [String]) -> Bool {
        tags.contains(where: matches(tag:))
    }

    private func matches(tag: String) -> Bool {
        guard let bytes else { return matchesSlowly(tag: tag) }
        var tag = tag
        let found: Bool? = tag.withUTF8 { tag in
            let tag = unsafe tag.span
            guard let name = UserNames.range(inTag: tag) else { return false }
            return Self.contains(tag, in: name, bytes)
        }
        return found ?? matchesSlowly(tag: tag)
    }

    private func matchesSlowly(tag: String) -> Bool {
        UserNames.name(inTag: tag)?.lowercased().contains(part) ?? false
    }

    /// Whether a part is within a range of some bytes; nil when these are not all ASCII.
    private static func contains(
        _ bytes: borrowing Span<UInt8>, in range: Range<Int>, _ part: [UInt8]
    ) -> Bool? {
        for place in range where bytes[place] >= 0x80 { return nil }
        guard range.count >= part.count else { return false }
        for start in range.lowerBound...range.upperBound - part.count {
            var length = 0
            while length < part.count, lowercased(bytes[start + length]) == part[length] {
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

/// The names of the users that registrations belong to: those of the tags `username:<name>` and `$UserId:{<name>}`.
enum UserNames {
    /// The most names shown of a device; a device has one or two.
    static let most = 100

    private static let named = Array("username:".utf8)
    private static let identified = Array("$UserId:{".utf8)

    /// The names, each once, in the order of their registrations and tags.
    static func names(of registrations: [Registration]) -> [String] {
        var seen: Set<String> = []
        var names: [String] = []
        for registration in registrations {
            for tag in registration.tags {
                guard let name = name(inTag: tag), seen.insert(name).inserted else { continue }
                names.append(name)
                guard names.count < most else { return names }
            }
        }
        return names
    }

    /// The name in a tag; nil when it is no user's.
    static func name(inTag tag: String) -> String? {
        var tag = tag
        return tag.withUTF8 { bytes in
            unsafe range(inTag: bytes.span).map { range in
                unsafe String(decoding: bytes[range], as: UTF8.self)
            }
        }
    }

    /// Where the name is in a tag; nil when it is no user's.
    ///
    /// - Parameter tag: the bytes of the tag.
    /// - Returns: the places of its bytes.
    static func range(inTag tag: borrowing Span<UInt8>) -> Range<Int>? {
        if begins(tag, with: named) { return named.count..<tag.count }
        guard begins(tag, with: identified), tag[tag.count - 1] == UInt8(ascii: "}") else {
            return nil
        }
        return identified.count..<tag.count - 1
    }

    /// Whether a tag has these bytes at its beginning, and something behind them.
    private static func begins(_ tag: borrowing Span<UInt8>, with prefix: [UInt8]) -> Bool {
        guard tag.count > prefix.count, tag[0] == prefix[0] else { return false }
        for place in prefix.indices where tag[place] != prefix[place] { return false }
        return true
    }
}
