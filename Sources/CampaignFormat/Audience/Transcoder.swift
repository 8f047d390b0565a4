/// Turns another encoding into UTF-8, a piece at a time.
///
/// An invalid character becomes an invalid byte of UTF-8, which the check of each line finds.
struct Transcoder {
    /// Bytes that one byte may become, and bytes left from before.
    static let most = (perByte: 3, besides: 4)
    /// Stands for half a character; UTF-8 never has it.
    private static let fault: UInt8 = 0xFF

    private enum Form {
        case singleBytes
        case pairs(isBigEndian: Bool)
    }

    private let form: Form
    /// The first byte of an incomplete unit.
    private var pendingByte: UInt8?
    /// The first half of a surrogate pair.
    private var pendingUnit: UInt16?

    /// nil for UTF-8; the beginning shows the byte order of UTF-16.
    init?(_ encoding: TextEncoding, beginning: ArraySlice<UInt8>) {
        switch encoding {
        case .utf8: return nil
        case .windows1252: form = .singleBytes
        case .utf16: form = .pairs(isBigEndian: Self.isBigEndian(beginning))
        }
    }

    /// By the byte order mark or, without one, by the zeros beside plain letters.
    private static func isBigEndian(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.starts(with: [0xFE, 0xFF]) { return true }
        if bytes.starts(with: [0xFF, 0xFE]) { return false }
        let zeros = bytes.indices.prefix(1_024).filter { bytes[$0] == 0 }
        let first = zeros.count { ($0 - bytes.startIndex).isMultiple(of: 2) }
        return first > zeros.count - first
    }

    /// The buffer needs room for ``most`` after `end`.
    mutating func decode(
        _ raw: [UInt8], count: Int, into buffer: inout [UInt8], at end: inout Int
    ) {
        switch form {
        case .singleBytes:
            for index in 0..<count {
                let byte = raw[index]
                if let scalar = Windows1252.scalar(byte) {
                    Self.append(scalar, to: &buffer, at: &end)
                } else {
                    // A lone byte is not UTF-8, and a message can name it.
                    Self.append(byte: byte, to: &buffer, at: &end)
                }
            }
        case .pairs(let isBigEndian):
            for index in 0..<count {
                guard let first = pendingByte else {
                    pendingByte = raw[index]
                    continue
                }
                pendingByte = nil
                let (high, low) = isBigEndian ? (first, raw[index]) : (raw[index], first)
                take(UInt16(high) << 8 | UInt16(low), into: &buffer, at: &end)
            }
        }
    }

    /// Marks what is still incomplete as invalid.
    mutating func finish(into buffer: inout [UInt8], at end: inout Int) {
        guard pendingByte != nil || pendingUnit != nil else { return }
        pendingByte = nil
        pendingUnit = nil
        Self.append(byte: Self.fault, to: &buffer, at: &end)
    }

    private mutating func take(_ unit: UInt16, into buffer: inout [UInt8], at end: inout Int) {
        if let high = pendingUnit {
            pendingUnit = nil
            if UTF16.isTrailSurrogate(unit) {
                let scalar = 0x1_0000 + (UInt32(high & 0x3FF) << 10) + UInt32(unit & 0x3FF)
                Self.append(scalar, to: &buffer, at: &end)
                return
            }
            Self.append(byte: Self.fault, to: &buffer, at: &end)
        }
        if UTF16.isLeadSurrogate(unit) {
            pendingUnit = unit
        } else if UTF16.isTrailSurrogate(unit) {
            Self.append(byte: Self.fault, to: &buffer, at: &end)
        } else {
            Self.append(UInt32(unit), to: &buffer, at: &end)
        }
    }

    /// RFC 3629, section 3.
    private static func append(_ scalar: UInt32, to buffer: inout [UInt8], at end: inout Int) {
        func part(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(scalar >> shift & 0x3F) }
        switch scalar {
        case ..<0x80:
            append(byte: UInt8(scalar), to: &buffer, at: &end)
        case ..<0x800:
            append(byte: 0xC0 | UInt8(scalar >> 6), to: &buffer, at: &end)
            append(byte: part(0), to: &buffer, at: &end)
        case ..<0x1_0000:
            append(byte: 0xE0 | UInt8(scalar >> 12), to: &buffer, at: &end)
            append(byte: part(6), to: &buffer, at: &end)
            append(byte: part(0), to: &buffer, at: &end)
        default:
            append(byte: 0xF0 | UInt8(scalar >> 18), to: &buffer, at: &end)
            append(byte: part(12), to: &buffer, at: &end)
            append(byte: part(6), to: &buffer, at: &end)
            append(byte: part(0), to: &buffer, at: &end)
        }
    }

    private static func append(byte: UInt8, to buffer: inout [UInt8], at end: inout Int) {
        buffer[end] = byte
        end += 1
    }
}
