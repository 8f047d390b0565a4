/// Parses the server-sent events (WHATWG HTML, section 9.2) that the local hub uses: `id` and
/// `data`.
struct ServerSentEvents {
    struct Event: Equatable {
        /// The id; nil means that the previous id still applies.
        var id: String?
        var data: String
    }

    struct TooLong: Error {}

    /// The maximum size of an event in bytes: a push body has up to 64 KiB, and JSON escapes can
    /// make it six times as long.
    private static let longest = 1 << 20

    private var line: [UInt8] = []
    private var lastWasReturn = false
    private var id: String?
    private var data: String?
    private var length = 0

    /// Reads the next bytes, which can be split anywhere, and returns the events that are complete.
    mutating func feed(_ bytes: some Sequence<UInt8>) throws -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            defer { lastWasReturn = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where lastWasReturn: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let event = endLine() { events.append(event) }
            default:
                length += 1
                guard length <= Self.longest else { throw TooLong() }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> Event? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else {
            defer { (id, data, length) = (nil, nil, 0) }
            return data.map { Event(id: id, data: $0) }
        }
        let text = String(decoding: line, as: UTF8.self)
        let colon = text.firstIndex(of: ":") ?? text.endIndex
        var value = text[colon...].dropFirst()
        if value.first == " " { value = value.dropFirst() }
        switch text[..<colon] {
        case "id": id = String(value)
        case "data": data = data.map { $0 + "\n" + value } ?? String(value)
        default: break
        }
        return nil
    }
}
