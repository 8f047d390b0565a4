#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The header fields that the parser reads, and the characters that fields can contain (RFC 9110,
/// section 5).
enum AnswerField {
    /// `Location`: the address of the message.
    case location
    /// `Connection`: whether the connection stays open.
    case connection
    /// `Content-Length`: the length of the body.
    case contentLength
    /// `Transfer-Encoding`: how the body is framed.
    case transferEncoding

    /// Returns the field with a name, case-insensitively; nil for a field that the parser does not
    /// read.
    init?(name: Span<UInt8>) {
        // The lengths of the names differ, so most names need not be compared at all.
        switch name.count {
        case 8 where Self.isSame(name, "location"): self = .location
        case 10 where Self.isSame(name, "connection"): self = .connection
        case 14 where Self.isSame(name, "content-length"): self = .contentLength
        case 17 where Self.isSame(name, "transfer-encoding"): self = .transferEncoding
        default: return nil
        }
    }

    /// Whether the bytes are equal to a word, case-insensitively.
    static func isSame(_ bytes: Span<UInt8>, _ lowercase: StaticString) -> Bool {
        guard bytes.count == lowercase.utf8CodeUnitCount else { return false }
        for index in bytes.indices {
            let byte = bytes[index]
            let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            if unsafe lower != lowercase.utf8Start[index] { return false }
        }
        return true
    }

    /// Whether a byte is allowed in a field name: a letter, a digit or one of ``! # $ % & ' * + - .
    /// ^ _ ` | ~``.
    static func isToken(_ byte: UInt8) -> Bool {
        // One bit per character, for speed.
        let allowed: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return byte < 128 && allowed >> UInt64(byte & 63) & 1 == 1
    }

    static func isText(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == 0x09
    }

    static func isText(_ bytes: Span<UInt8>) -> Bool {
        // There is no early exit, so that the compiler can compare many bytes at once.
        var forbidden: UInt8 = 0
        for index in bytes.indices {
            let byte = unsafe bytes[unchecked: index]
            forbidden |= (byte < 0x20 ? 1 : 0) & (byte == 0x09 ? 0 : 1) | (byte == 0x7F ? 1 : 0)
        }
        return forbidden == 0
    }
}

/// The first line of a response, such as `HTTP/1.1 201 Created`.
struct AnswerStatusLine {
    private static let beginning: StaticString = "HTTP/1."

    /// The status, 100 to 999.
    let status: Int

    /// Whether the version is HTTP/1.0, in which the connection closes after the response.
    let isOld: Bool

    init?(_ line: Span<UInt8>) {
        guard line.count >= 12, Self.canBegin(with: line), line[7] == 0x30 || line[7] == 0x31,
            line[8] == 0x20, line.count == 12 || line[12] == 0x20
        else { return nil }
        var status = 0
        for index in 9..<12 {
            guard (0x30...0x39).contains(line[index]) else { return nil }
            status = status * 10 + Int(line[index] - 0x30)
        }
        guard status >= 100 else { return nil }
        guard AnswerField.isText(line.extracting(12..<line.count)) else { return nil }
        self.status = status
        isOld = line[7] == 0x30
    }

    static func canBegin(with bytes: Span<UInt8>) -> Bool {
        for index in 0..<min(bytes.count, beginning.utf8CodeUnitCount)
        where unsafe bytes[index] != beginning.utf8Start[index] {
            return false
        }
        return true
    }
}

/// Reads a message's id from `Location`, with the same result as ``HubAnswer``.
///
/// Check the id with ``KnownSecrets`` before you store it.
enum MessageLocation {
    /// The last segment of the path, without the query.
    static func lastSegment(of location: Span<UInt8>) -> String? {
        var start: Int?
        var end = 0
        while end < location.count {
            let byte = location[end]
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
            end += 1
            if byte == UInt8(ascii: "/") { start = end }
        }
        guard let start, (1...ForeignText.limit).contains(end - start) else { return nil }
        for index in start..<end where !(0x21...0x7E).contains(location[index]) { return nil }
        return String(bytes: location.extracting(start..<end))
    }
}

extension Span<UInt8> {
    /// The index of the first line feed, or the number of bytes if there is none.
    func firstLineFeed(from start: Int) -> Int {
        precondition((0...count).contains(start))
        return unsafe withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress,
                let found = unsafe memchr(first + start, 0x0A, bytes.count - start)
            else { return bytes.count }
            return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(first)
        }
    }
}

extension String {
    /// The text; bytes that are not valid UTF-8 are replaced.
    init(bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
