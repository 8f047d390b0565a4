import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reads the XML of a response whose size is limited, without document types or external entities.
final class XMLElementReader: NSObject, XMLParserDelegate {
    /// The maximum nesting depth; an entry in a feed has eight levels.
    static let depthLimit = 16

    /// The maximum number of elements, enough for a page of registrations with all possible
    /// elements.
    private static let elementLimit = 50_000

    private var open: [HubElement] = []
    private var root: HubElement?
    private var elements = 0
    private var problem: XMLReadingError?

    /// Reads a complete response in UTF-8; content after the root element is ignored.
    static func read(_ bytes: [UInt8]) throws(XMLReadingError) -> HubElement {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        let reader = XMLElementReader()
        try reader.read(text)
        guard let root = reader.root else { throw .malformed }
        return root
    }

    /// Reads the well-formed beginning of a response, which may be cut off or may not be XML.
    static func readBeginning(of bytes: [UInt8]) -> HubElement? {
        let reader = XMLElementReader()
        do {
            try reader.read(String(decoding: bytes, as: UTF8.self))
        } catch {
            // The part that was read before the error is still text from the hub.
            while !reader.open.isEmpty { reader.close() }
        }
        return reader.root
    }

    private func read(_ text: String) throws(XMLReadingError) {
        let parser = XMLParser(data: Data(try XMLEssence.bytes(of: text)))
        parser.shouldProcessNamespaces = false
        parser.shouldResolveExternalEntities = false
        parser.delegate = self
        let isWellFormed = parser.parse()
        if let problem { throw problem }
        guard isWellFormed, open.isEmpty else { throw .malformed }
    }

    private func close() {
        guard let element = open.popLast() else { return }
        if open.isEmpty {
            root = root ?? element
        } else {
            open[open.count - 1].children.append(element)
        }
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        guard problem == nil else { return }
        elements += 1
        if open.count >= Self.depthLimit { problem = .tooDeep }
        if elements > Self.elementLimit { problem = .tooManyElements }
        guard problem == nil else {
            parser.abortParsing()
            return
        }
        var named: [String: String] = [:]
        for (name, value) in attributes where name != "xmlns" && !name.hasPrefix("xmlns:") {
            named[Self.localName(name)] = value
        }
        open.append(HubElement(name: Self.localName(elementName), attributes: named))
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        if problem == nil { close() }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard problem == nil, !open.isEmpty else { return }
        open[open.count - 1].text += string
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
    }

    private static func localName(_ name: String) -> String {
        String(name.split(separator: ":").last ?? "")
    }
}

enum XMLReadingError: Error, Hashable {
    /// The response is not UTF-8.
    case notUTF8
    /// The response declares a document type, which allows entity expansion attacks.
    case documentType
    /// The elements are nested more deeply than those of any hub.
    case tooDeep
    /// The response has more elements than any hub sends.
    case tooManyElements
    /// The response is truncated or is not XML.
    case malformed
    /// The response is XML, but not the requested document.
    case unexpected
}

extension XMLReadingError: CustomStringConvertible {
    var description: String {
        switch self {
        case .notUTF8: "the response is not UTF-8"
        case .documentType: "the response's XML declares a document type"
        case .tooDeep: "the response's XML is nested too deeply"
        case .tooManyElements: "the response's XML has too many elements"
        case .malformed: "the response is not well-formed XML"
        case .unexpected: "the response is not the requested document"
        }
    }
}

/// An XML document without its declaration, processing instructions and comments.
///
/// The encoding is UTF-8, whatever the declaration says. An instruction without data, such as
/// `<?a?>`, would crash Foundation's parser.
private enum XMLEssence {
    private static let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

    /// The text from the root element on; it ends before an unclosed comment or instruction.
    static func bytes(of text: String) throws(XMLReadingError) -> [UInt8] {
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
                // Another `<` here could become a forbidden declaration when a comment is removed.
                guard rest.first != UInt8(ascii: "<") else { throw .malformed }
            }
        }
        essence += rest
        let root = essence.drop { spaces.contains($0) }
        guard root.first == UInt8(ascii: "<") else { throw .malformed }
        return Array(root)
    }

    private static func end(of bytes: ArraySlice<UInt8>, at mark: String) -> Int {
        bytes.firstRange(of: Array(mark.utf8))?.upperBound ?? bytes.endIndex
    }
}
