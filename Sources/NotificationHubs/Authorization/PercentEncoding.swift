/// Percent encoding as shared access signatures and the segments of an address use it.
enum PercentEncoding {
    /// Encodes every byte but `A-Z a-z 0-9 - _ . ~`, with upper-case hexadecimal digits.
    ///
    /// - Parameters:
    ///   - text: any text; its UTF-8 bytes are encoded.
    ///   - kept: ASCII characters to leave as they are.
    /// - Returns: ASCII text.
    static func encode(_ text: String, keeping kept: String = "") -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count * 3)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: "~"):
                encoded.append(byte)
            case _ where kept.utf8.contains(byte):
                encoded.append(byte)
            default:
                encoded.append(UInt8(ascii: "%"))
                encoded.append(digits[Int(byte >> 4)])
                encoded.append(digits[Int(byte & 0x0F)])
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
