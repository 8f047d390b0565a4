/// Turns the bytes of another encoding into UTF-8, a piece at a time.
///
/// What the encoding does not have becomes a byte that UTF-8 does not have at that place either, so that the one check of each
/// line finds it there.
struct Transcoder {
    /// So many bytes may become of one, and that many more of what was left from before.
    static let most = (perByte: 3, besides: 4)
    /// Stands for a part of a character whose other part is missing; UTF-8 never has it.
    private static let fault: UInt8 = 0xFF

    private enum Form {
        case singleBytes
        case pairs(isBigEndian: Bool)
    }

    private let form: Form
    /// The first byte of a unit that is not here whole.
    private var pendingByte: UInt8?
    /// The first unit of a character that takes two.
    private var pendingUnit: UInt16?

    /// - Parameters:
    ///   - encoding: not UTF-8, which needs none.
    ///   - beginning: the file's first bytes, which tell the order of bytes in UTF-16.
    init?(_ encoding: TextEncoding, beginning: ArraySlice<UInt8>) {
        switch encoding {
        case .utf8: return nil
        case .windows1252: form = .singleBytes
        case .utf16: form = .pairs(isBigEndian: Self.isBigEndian(beginning))
        }
    }

    /// Reads the order off the byte order mark; without one, off the zeros in front of or behind plain letters.
    private static func isBigEndian(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.starts(with: [0xFE, 0xFF]) { return true }
        if bytes.starts(with: [0xFF, 0xFE]) { return false }
        let zeros = bytes.indices.prefix(1_024).filter { bytes[$0] == 0 }
        let first = zeros.count { ($0 - bytes.startIndex).isMultiple(of: 2) }
        return first > zeros.count - first
    }

    /// Turns bytes.
    ///
    /// - Parameters:
    ///   - count: how many of `raw`, from its start.
    ///   - buffer: has room for ``most`` behind `end`.
    ///   - end: where the next byte goes.
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
                    // Alone it is no UTF-8, and a message can name it.
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

    /// Ends: what is not whole by now never will be.
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

    /// Writes a character (RFC 3629, section 3).
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
