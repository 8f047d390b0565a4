enum TextEncoding: String, CaseIterable, Sendable {
    case utf8 = "utf-8"
    /// Byte order by its mark or, without one, by its first characters (RFC 2781).
    case utf16 = "utf-16"
    /// What Excel writes on Windows in Western Europe and America (WHATWG Encoding, section 9).
    case windows1252 = "windows-1252"

    var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16: "UTF-16"
        case .windows1252: "Windows-1252"
        }
    }
}

/// The characters of Windows-1252 that differ from Unicode.
enum Windows1252 {
    /// From 0x80; 0 if there is none.
    private static let special: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
        0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC,
        0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
    ]

    /// nil for the five bytes that have none.
    static func scalar(_ byte: UInt8) -> UInt32? {
        guard (0x80...0x9F).contains(byte) else { return UInt32(byte) }
        let value = special[Int(byte) - 0x80]
        return value == 0 ? nil : UInt32(value)
    }
}
