/// Writes the XML of responses, in one line and with escaped text.
enum XMLText {
    /// The namespaces on the root element of the service's own documents.
    static let serviceNamespaces =
        "xmlns=\"\(ServiceNamespace.service)\" xmlns:i=\"\(ServiceNamespace.instance)\""

    /// An element with text, which this function escapes.
    static func element(_ name: String, _ text: String) -> String {
        "<\(name)>\(escaped(text))</\(name)>"
    }

    /// The escaped text; characters that XML 1.0 does not allow become the replacement character.
    static func escaped(_ text: String) -> String { escaped(text) { _ in nil } }

    private static func escaped(
        _ text: String, otherwise written: (Unicode.Scalar) -> String?
    ) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            // XML parsers turn a bare carriage return into a line feed.
            case "\r": result += "&#xD;"
            default:
                if let other = written(scalar) {
                    result += other
                } else {
                    result.unicodeScalars.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
                }
            }
        }
        return result
    }

    static func attribute(_ text: String) -> String {
        escaped(text) { $0 == "\"" ? "&quot;" : nil }
    }

    /// The text, with both kinds of quotation marks escaped as well.
    static func anywhere(_ text: String) -> String {
        escaped(text) { $0 == "\"" ? "&quot;" : $0 == "'" ? "&apos;" : nil }
    }

    /// The text as CDATA sections; it is split where it contains `]]>`.
    static func cdata(_ text: String) -> String {
        let allowed = String.UnicodeScalarView(
            text.unicodeScalars.map { isAllowed($0) ? $0 : "\u{FFFD}" })
        let cut = allowed.replacing(
            "]]>".unicodeScalars, with: "]]]]><![CDATA[>".unicodeScalars)
        return "<![CDATA[\(String(cut))]]>"
    }

    /// The XML without line breaks.
    static func oneLine(_ xml: String) -> String {
        String(xml.unicodeScalars.replacing("\n".unicodeScalars, with: "&#xA;".unicodeScalars))
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t", "\n", "\r", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}",
            "\u{10000}"..."\u{10FFFF}":
            true
        default: false
        }
    }
}

enum ServiceNamespace {
    /// The namespace of descriptions, telemetry and outcomes.
    static let service = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"
    /// The namespace of `i:nil` and `i:type`.
    static let instance = "http://www.w3.org/2001/XMLSchema-instance"
    /// The namespace of lists of properties.
    static let arrays = "http://schemas.microsoft.com/2003/10/Serialization/Arrays"
    /// The namespace of entries and feeds.
    static let atom = "http://www.w3.org/2005/Atom"
    /// The namespace of an entry's `a:etag`.
    static let metadata = "http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"
}
