/// The alphabet of RFC 4648, section 6, in lower case; all IDs use it.
enum Base32 {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// Random letters, 5 bits each.
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

    /// The first bits of the bytes, 5 per letter.
    static func text(of bytes: some Sequence<UInt8>, count: Int) -> String {
        var letters: [UInt8] = []
        var bits = 0
        var held = 0
        for byte in bytes {
            bits = bits << 8 | Int(byte)
            held += 8
            while held >= 5, letters.count < count {
                held -= 5
                letters.append(alphabet[bits >> held & 31])
                bits &= 1 << held - 1
            }
            if letters.count == count { break }
        }
        return String(decoding: letters, as: UTF8.self)
    }

    static func isWritten(_ text: some StringProtocol, count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x32...0x37 ~= $0 }
    }
}
