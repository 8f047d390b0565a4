/// Numbers as lower-case hexadecimal text of a fixed width.
enum Hexadecimal {
    private static let alphabet = Array("0123456789abcdef".utf8)

    /// The lowest digits of a number.
    ///
    /// - Parameters:
    ///   - number: the number.
    ///   - digits: how many digits, 1 to 16.
    /// - Returns: the digits.
    static func text(_ number: UInt64, digits: Int) -> String {
        let bytes = (0..<digits).reversed().map { place in
            alphabet[Int(number >> UInt64(4 * place) & 15)]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
