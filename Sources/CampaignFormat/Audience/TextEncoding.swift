enum TextEncoding: String, CaseIterable, Sendable {
    case utf8 = "utf-8"
    /// The byte order is determined from the byte order mark or, if there is none, from the first
    /// characters (RFC 2781).
    case utf16 = "utf-16"
    /// Written by Excel on Windows in Western Europe and America (WHATWG Encoding, section 9).
    case windows1252 = "windows-1252"

    var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16: "UTF-16"
        case .windows1252: "Windows-1252"
        }
    }
}
