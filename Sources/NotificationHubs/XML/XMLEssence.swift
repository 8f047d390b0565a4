/// What an XML text is without its declaration, processing instructions and comments.
///
/// The declaration is left off since what it says of the encoding is known better: UTF-8. A
/// processing instruction without data, `<?a?>`, would bring Foundation's parser down, and the
/// process with it.
enum XMLEssence {
    private static let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

    /// Takes them out.
    ///
    /// - Parameter text: the whole text.
    /// - Returns: the text from its root element on, without them; of a comment or an instruction
    ///   that has no end, and what follows it, nothing.
    /// - Throws: ``XMLFault/documentType`` for a declaration such as a document type,
    ///   ``XMLFault/malformed`` when there is no element.
    static func bytes(of text: String) throws(XMLFault) -> [UInt8] {
        var essence: [UInt8] = []
        var rest = Array(text.utf8)[...]
        if rest.starts(with: "\u{FEFF}".utf8) { rest = rest.dropFirst(3) }
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            essence += rest[..<open]
            rest = rest[open...]
            if rest.starts(with: "<?".utf8) {
                rest = rest[end(of: rest.dropFirst(2), at: "?>")...]
            } else if rest.starts(with: "<!--".utf8) {
                rest = rest[end(of: rest.dropFirst(4), at: "-->")...]
            } else if rest.starts(with: "<![CDATA[".utf8) {
                let end = end(of: rest, at: "]]>")
                essence += rest[..<end]
                rest = rest[end...]
            } else if rest.starts(with: "<!".utf8) {
                throw .documentType
            } else {
                essence.append(rest.removeFirst())
            }
        }
        essence += rest
        let root = essence.drop { spaces.contains($0) }
        guard root.first == UInt8(ascii: "<") else { throw .malformed }
        return Array(root)
    }

    /// Where a mark ends; the end of the text when there is no mark.
    private static func end(of bytes: ArraySlice<UInt8>, at mark: String) -> Int {
        bytes.firstRange(of: Array(mark.utf8))?.upperBound ?? bytes.endIndex
    }
}
