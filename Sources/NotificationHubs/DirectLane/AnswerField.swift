/// The fields of an answer's header that are looked at, and the characters that fields are made of
/// (RFC 9110, section 5).
enum AnswerField {
    /// Where the message stands.
    case location
    /// Whether the connection goes on.
    case connection
    /// How long the body is.
    case contentLength
    /// How the body is framed.
    case transferEncoding

    private static let locationName = Array("location".utf8)
    private static let connectionName = Array("connection".utf8)
    private static let contentLengthName = Array("content-length".utf8)
    private static let transferEncodingName = Array("transfer-encoding".utf8)

    /// The field of a name, in whatever case; nil for one that is not looked at.
    init?(name: Span<UInt8>) {
        // Their lengths differ, so that most names need no comparison at all.
        switch name.count {
        case 8 where Self.isSame(name, Self.locationName.span): self = .location
        case 10 where Self.isSame(name, Self.connectionName.span): self = .connection
        case 14 where Self.isSame(name, Self.contentLengthName.span): self = .contentLength
        case 17 where Self.isSame(name, Self.transferEncodingName.span): self = .transferEncoding
        default: return nil
        }
    }

    /// Whether bytes are a word, in whatever case.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - lowercase: the word, of the same length.
    /// - Returns: whether they are the same but for case.
    static func isSame(_ bytes: Span<UInt8>, _ lowercase: Span<UInt8>) -> Bool {
        guard bytes.count == lowercase.count else { return false }
        for index in bytes.indices {
            let byte = bytes[index]
            let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            if lower != lowercase[index] { return false }
        }
        return true
    }

    /// Whether a name may have a byte.
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"),
            UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"),
            UInt8(ascii: "+"), UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Whether a value may have a byte.
    static func isText(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == 0x09
    }
}
