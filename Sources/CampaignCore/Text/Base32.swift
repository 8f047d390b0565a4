/// The lower-case alphabet of RFC 4648, section 6, which every id of hubsend is written in.
enum Base32 {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// Draws a text of random letters.
    ///
    /// - Parameters:
    ///   - count: how many letters; each carries 5 random bits.
    ///   - generator: where the bits come from.
    static func random(count: Int, using generator: inout some RandomNumberGenerator) -> String {
        var bits: UInt64 = 0
        var left = 0
        return unsafe String(unsafeUninitializedCapacity: count) { buffer in
            for index in 0..<count {
                if left < 5 {
                    bits = generator.next()
                    left = 60
                }
                unsafe buffer[index] = alphabet[Int(bits & 31)]
                bits >>= 5
                left -= 5
            }
            return count
        }
    }

    /// Whether a text has exactly this many letters of the alphabet and nothing else.
    static func isWritten(_ text: some StringProtocol, count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy(alphabet.contains)
    }
}
