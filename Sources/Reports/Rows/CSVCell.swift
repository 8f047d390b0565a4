/// One value as CSV writes it.
enum CSVCell {
    /// Appends a value, quoted where RFC 4180 asks for it.
    ///
    /// What a spreadsheet would take for a formula gets a leading `'`: names and the hub's texts come from outside.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        let needsQuotes = text.utf8.contains { byte in
            switch byte {
            case UInt8(ascii: ","), quote, UInt8(ascii: "\n"), UInt8(ascii: "\r"): true
            default: false
            }
        }
        if needsQuotes { bytes.append(quote) }
        if looksLikeFormula(text) { bytes.append(UInt8(ascii: "'")) }
        if needsQuotes {
            for byte in text.utf8 {
                if byte == quote { bytes.append(quote) }
                bytes.append(byte)
            }
            bytes.append(quote)
        } else {
            bytes.append(contentsOf: text.utf8)
        }
    }

    private static let quote = UInt8(ascii: "\"")

    private static func looksLikeFormula(_ text: String) -> Bool {
        switch text.utf8.first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"),
            UInt8(ascii: "\t"), UInt8(ascii: "\r"):
            true
        default:
            false
        }
    }
}
