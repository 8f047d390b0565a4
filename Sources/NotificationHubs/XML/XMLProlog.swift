/// What stands before the root element of an XML text.
enum XMLProlog {
    /// Finds the root element.
    ///
    /// The XML declaration is left off with the rest, since what it says of the encoding is known
    /// better: UTF-8.
    ///
    /// - Parameter text: the whole text.
    /// - Returns: the text from its root element on.
    /// - Throws: ``XMLFault/documentType`` for a document type, ``XMLFault/malformed`` when there
    ///   is no element.
    static func rootElement(of text: String) throws(XMLFault) -> Substring.UTF8View {
        var rest = text.utf8[...]
        if rest.starts(with: "\u{FEFF}".utf8) { rest = rest.dropFirst(3) }
        while true {
            rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
            if rest.starts(with: "<?".utf8) {
                rest = try Self.skip(rest, past: "?>")
            } else if rest.starts(with: "<!--".utf8) {
                rest = try Self.skip(rest, past: "-->")
            } else if rest.starts(with: "<!".utf8) {
                throw .documentType
            } else if rest.first == UInt8(ascii: "<") {
                return rest
            } else {
                throw .malformed
            }
        }
    }

    private static func skip(
        _ rest: Substring.UTF8View, past end: String
    ) throws(XMLFault) -> Substring.UTF8View {
        let end = Array(end.utf8)
        var index = rest.startIndex
        while index < rest.endIndex {
            if rest[index...].starts(with: end) { return rest[index...].dropFirst(end.count) }
            rest.formIndex(after: &index)
        }
        throw .malformed
    }
}
