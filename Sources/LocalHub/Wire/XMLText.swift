/// The little XML that answers of the hub are written with: one line, text escaped.
enum XMLText {
    /// The namespaces on the root of the service's own documents (reference, section 0).
    static let serviceNamespaces =
        "xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\" "
        + "xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\""

    /// An element with text in it.
    ///
    /// - Parameters:
    ///   - name: the element's name.
    ///   - text: the text, not yet escaped.
    /// - Returns: the element.
    static func element(_ name: String, _ text: String) -> String {
        "<\(name)>\(escaped(text))</\(name)>"
    }

    /// Text as XML can hold it; what XML 1.0 cannot hold at all becomes the replacement character.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            // A reader turns a bare carriage return into a line feed.
            case "\r": result += "&#xD;"
            case "\t", "\n", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
                result.unicodeScalars.append(scalar)
            default: result += "\u{FFFD}"
            }
        }
        return result
    }
}
