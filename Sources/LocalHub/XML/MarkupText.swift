/// Text made fit for the XML that the hub writes.
enum MarkupText {
    /// The text for element content and attribute values.
    ///
    /// - Parameter text: any text; characters that XML 1.0 cannot hold become U+FFFD.
    /// - Returns: the escaped text.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(allowed(scalar))
            }
        }
        return result
    }

    /// The text as one or more CDATA sections: one that holds the end of a section is cut in two.
    ///
    /// - Parameter text: any text; characters that XML 1.0 cannot hold become U+FFFD.
    /// - Returns: the sections.
    static func cdata(_ text: String) -> String {
        let allowed = String(String.UnicodeScalarView(text.unicodeScalars.map(allowed)))
        return "<![CDATA[\(allowed.replacing("]]>", with: "]]]]><![CDATA[>"))]]>"
    }

    private static func allowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: scalar
        default: "\u{FFFD}"
        }
    }
}
