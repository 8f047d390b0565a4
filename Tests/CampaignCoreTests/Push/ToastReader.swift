import Foundation
import FoundationXML

final class ToastReader: NSObject, XMLParserDelegate {
    /// The elements in the order in which they opened.
    private(set) var path: [String] = []
    private(set) var template: String?
    /// The app's start argument.
    private(set) var launch: String?
    /// All texts, joined together.
    var text: String { texts.joined() }
    private(set) var texts: [String] = []

    /// Reads a toast; returns nil if it is not well-formed XML.
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
        if name == "toast" { launch = attributes["launch"] }
        if name == "text" { texts.append("") }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        texts[texts.count - 1] += string
    }
}
