import Foundation
import FoundationXML

/// Reads the XML of an answer into elements: without document types, external entities, or more
/// depth and number than hubs have.
///
/// The size is bounded by whoever read the answer.
final class XMLElementReader: NSObject, XMLParserDelegate {
    /// The deepest that elements may stand in each other; an entry in a feed has eight levels.
    static let depthLimit = 16

    /// The most elements of one answer: a page of registrations with all they can have.
    static let elementLimit = 50_000

    private var open: [HubElement] = []
    private var root: HubElement?
    private var elements = 0
    private var fault: XMLFault?

    /// Reads a whole answer; what follows its root element does not count.
    ///
    /// - Parameter bytes: a bounded body in UTF-8.
    /// - Returns: its root element.
    /// - Throws: ``XMLFault``.
    static func read(_ bytes: [UInt8]) throws(XMLFault) -> HubElement {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        let reader = XMLElementReader()
        try reader.read(text)
        guard let root = reader.root else { throw .malformed }
        return root
    }

    /// Reads as much of an answer as is well-formed.
    ///
    /// - Parameter bytes: a bounded body, possibly cut short or no XML at all.
    /// - Returns: its root element with what came of it; nil when there is nothing.
    static func readBeginning(of bytes: [UInt8]) -> HubElement? {
        let reader = XMLElementReader()
        do {
            try reader.read(String(decoding: bytes, as: UTF8.self))
        } catch {
            // What was read until the fault is the hub's own text.
            while !reader.open.isEmpty { reader.close() }
        }
        return reader.root
    }

    private func read(_ text: String) throws(XMLFault) {
        let parser = XMLParser(data: Data(try XMLEssence.bytes(of: text)))
        parser.shouldProcessNamespaces = false
        parser.shouldResolveExternalEntities = false
        parser.delegate = self
        let isWellFormed = parser.parse()
        if let fault { throw fault }
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
        guard fault == nil else { return }
        elements += 1
        if open.count >= Self.depthLimit { fault = .tooDeep }
        if elements > Self.elementLimit { fault = .tooManyElements }
        guard fault == nil else {
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
        if fault == nil { close() }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard fault == nil, !open.isEmpty else { return }
        open[open.count - 1].text += string
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        self.parser(parser, foundCharacters: String(decoding: block, as: UTF8.self))
    }

    private static func localName(_ name: String) -> String {
        String(name.split(separator: ":").last ?? "")
    }
}
