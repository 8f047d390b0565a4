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

    /// The field of a name, in whatever case; nil for one that is not looked at.
    init?(name: Span<UInt8>) {
        // Their lengths differ, so that most names need no comparison at all.
        switch name.count {
        case 8 where Self.isSame(name, "location"): self = .location
        case 10 where Self.isSame(name, "connection"): self = .connection
        case 14 where Self.isSame(name, "content-length"): self = .contentLength
        case 17 where Self.isSame(name, "transfer-encoding"): self = .transferEncoding
        default: return nil
        }
    }

    /// Whether bytes are a word, in whatever case.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - lowercase: the word.
    /// - Returns: whether they are the same but for case.
    static func isSame(_ bytes: Span<UInt8>, _ lowercase: StaticString) -> Bool {
        guard bytes.count == lowercase.utf8CodeUnitCount else { return false }
        for index in bytes.indices {
            let byte = bytes[index]
            let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            if unsafe lower != lowercase.utf8Start[index] { return false }
        }
        return true
    }

    /// Whether a name may have a byte: a letter, a digit or one of ``! # $ % & ' * + - . ^ _ ` | ~``.
    static func isToken(_ byte: UInt8) -> Bool {
        // A bit for each character, since every byte of every answer is looked at.
        let allowed: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return byte < 128 && allowed >> UInt64(byte & 63) & 1 == 1
    }

    /// Whether a value may have a byte.
    static func isText(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == 0x09
    }

    /// Whether a value may have all of some bytes.
    static func isText(_ bytes: Span<UInt8>) -> Bool {
        // To the end in any case: without a way out, many bytes are compared at once.
        var forbidden: UInt8 = 0
        for index in bytes.indices {
            let byte = unsafe bytes[unchecked: index]
            forbidden |= (byte < 0x20 ? 1 : 0) & (byte == 0x09 ? 0 : 1) | (byte == 0x7F ? 1 : 0)
        }
        return forbidden == 0
    }
}
