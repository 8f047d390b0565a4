import Foundation
import FoundationXML

/// Collects the text of the two elements of an error body, in whatever namespace they are.
final class ErrorBodyReader: NSObject, XMLParserDelegate {
    /// The text of the first `Code` element, once one began.
    private(set) var code: String?

    /// The text of the first `Detail` element, once one began.
    private(set) var detail: String?

    private var path: [String] = []

    /// Reads a body as far as it is well-formed.
    ///
    /// - Parameter data: a bounded body without a document type.
    func read(_ data: Data) {
        let parser = XMLParser(data: data)
        parser.shouldProcessNamespaces = false
        parser.shouldResolveExternalEntities = false
        parser.delegate = self
        // Whether the rest was well-formed does not matter: what was read until then is the hub's
        // own text.
        _ = parser.parse()
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        path.append(String(elementName.split(separator: ":").last ?? ""))
        switch path {
        case ["Error", "Code"]: code = code ?? ""
        case ["Error", "Detail"]: detail = detail ?? ""
        default: break
        }
        // A well-meant error body is two levels deep.
        if path.count > 8 { parser.abortParsing() }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        switch path {
        case ["Error", "Code"]: code?.append(string)
        case ["Error", "Detail"]: detail?.append(string)
        default: break
        }
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        _ = path.popLast()
    }
}
