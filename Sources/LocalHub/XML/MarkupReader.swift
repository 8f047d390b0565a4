import Foundation
import FoundationXML

/// Reads small XML documents from clients, within bounds and without document types.
///
/// The encoding that a declaration names is not believed: clients declare utf-16 and send UTF-8
/// (reference, section 3.4).
final class MarkupReader: NSObject, XMLParserDelegate {
    private static let deepest = 16
    private static let mostElements = 2_048

    private var open: [MarkupElement] = []
    private var root: MarkupElement?
    private var elements = 0
    private var isOutOfBounds = false
    private var isMalformed = false

    /// Reads a document.
    ///
    /// - Parameter bytes: the document in UTF-8, whose size the caller has bounded.
    /// - Returns: the root element.
    /// - Throws: a 400 when it is no well-formed document, declares a document type, or is too deep or large.
    static func read(_ bytes: [UInt8]) throws(HubFailure) -> MarkupElement {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .badRequest("The body is not UTF-8.")
        }
        let document = try withoutDeclaration(text)
        let reader = MarkupReader()
        let parser = XMLParser(data: Data(document.utf8))
        parser.shouldProcessNamespaces = true
        parser.shouldReportNamespacePrefixes = false
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        // What `parse` returns says nothing on Linux: it is true for half a document and for two.
        _ = parser.parse()
        guard !reader.isOutOfBounds else {
            throw .badRequest(
                "The XML is nested deeper than \(deepest) or has more than \(mostElements) elements."
            )
        }
        guard !reader.isMalformed, let root = reader.root else {
            throw .badRequest("The body is not well-formed XML.")
        }
        return root
    }

    /// The document behind its declaration.
    ///
    /// - Throws: a 400 when a document type comes before the root element, the only place for one.
    private static func withoutDeclaration(_ text: String) throws(HubFailure) -> Substring {
        var rest = text[...].drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if let document = skipping("<?xml", to: "?>", in: rest) { rest = document }
        var prolog = rest.drop(while: \.isWhitespace)
        while let next = skipping("<!--", to: "-->", in: prolog)
            ?? skipping("<?", to: "?>", in: prolog)
        {
            prolog = next.drop(while: \.isWhitespace)
        }
        guard !prolog.hasPrefix("<!") else {
            throw .badRequest("The XML declares a document type, which is not allowed.")
        }
        return rest
    }

    /// What follows a comment or processing instruction; nil when the text does not begin with a whole one.
    ///
    /// The end is looked for behind the beginning: `<!-->` only begins a comment.
    private static func skipping(
        _ start: String, to end: String, in text: Substring
    ) -> Substring? {
        guard text.hasPrefix(start) else { return nil }
        let inner = text.dropFirst(start.count)
        return inner.firstRange(of: end).map { inner[$0.upperBound...] }
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        elements += 1
        guard open.count < Self.deepest, elements <= Self.mostElements else {
            isOutOfBounds = true
            return parser.abortParsing()
        }
        let local = attributes.filter { !$0.key.hasPrefix("xmlns") }.map {
            (String($0.key.split(separator: ":").last ?? ""), $0.value)
        }
        open.append(
            MarkupElement(
                name: String(elementName.split(separator: ":").last ?? ""),
                attributes: Dictionary(local, uniquingKeysWith: { first, _ in first })))
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        // 99, 100 and 200 to 205 are libxml2's about namespaces, which this reader does not look at.
        let code = (error as NSError).code
        if !(99...100).contains(code), !(200...205).contains(code) { isMalformed = true }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += string
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }
}
