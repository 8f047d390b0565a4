import Foundation
import FoundationXML

/// Reads a toast with Foundation's XML parser.
final class ToastReader: NSObject, XMLParserDelegate {
    /// The elements in the order in which they opened.
    private(set) var path: [String] = []
    private(set) var template: String?
    private(set) var text = ""

    /// A toast; nil when it is not well-formed XML.
    static func read(_ data: Data) -> ToastReader? {
        let reader = ToastReader()
        let parser = XMLParser(data: data)
        parser.delegate = reader
        return parser.parse() ? reader : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        path.append(name)
        template = template ?? attributes["template"]
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        text += string
    }
}
