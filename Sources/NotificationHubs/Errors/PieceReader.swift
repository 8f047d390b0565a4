/// Reads the letters and digits of a text, and keeps the last eight, the newest in the lowest byte.
struct PieceReader {
    /// How many letters and digits make a piece.
    static let length = 8

    private var last: UInt64 = 0
    private var count = 0
    /// How many characters have come of a percent-encoded one, and the first of its digits.
    private var encoded = 0
    private var high: UInt8 = 0

    /// The piece that ends with the last letter or digit; nil while there are fewer than eight.
    var piece: UInt64? { count >= Self.length ? last : nil }

    /// Takes the next byte of a text, percent-encoded ones as what they stand for.
    ///
    /// - Returns: whether a letter or a digit has come.
    mutating func take(_ byte: UInt8) -> Bool {
        guard encoded > 0 else { return keep(byte) }
        let isSecond = encoded == 2
        encoded = 0
        guard let digit = Self.hexadecimal(byte) else { return keep(byte) }
        if isSecond { return keep(high << 4 | digit) }
        high = digit
        encoded = 2
        return false
    }

    private mutating func keep(_ byte: UInt8) -> Bool {
        guard let folded = Self.folded(byte) else {
            // Also of an encoded percent sign, which begins another one.
            if byte == UInt8(ascii: "%") { encoded = 1 }
            return false
        }
        last = last << 8 | UInt64(folded)
        count += 1
        return true
    }

    /// A letter in lower case, or a digit; nil for any other byte.
    static func folded(_ byte: UInt8) -> UInt8? {
        // With few branches, since every id of a hub comes by here.
        let lower = byte | 0x20
        if lower &- 0x61 < 26 { return lower }
        return byte &- 0x30 < 10 ? byte : nil
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
