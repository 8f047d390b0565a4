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
