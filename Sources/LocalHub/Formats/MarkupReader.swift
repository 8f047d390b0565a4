import Foundation
import FoundationXML

/// Reads small XML documents within limits; refuses document type declarations.
///
/// The declared encoding is ignored, because clients declare utf-16 but send UTF-8.
final class MarkupReader: NSObject, XMLParserDelegate {
    private static let deepest = 16
    private static let mostElements = 2_048

    private var open: [MarkupElement] = []
    private var root: MarkupElement?
    private var elements = 0
    private var isOutOfBounds = false
    private var isMalformed = false

    /// Reads a document and returns its root; throws a 400 if the document is malformed, too deep
    /// or too large, or has a DTD.
    static func read(_ bytes: [UInt8]) throws(HubFailure) -> MarkupElement {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw .badRequest("The body is not UTF-8.")
        }
        let document = try essence(bytes)
        let reader = MarkupReader()
        let parser = XMLParser(data: Data(document))
        parser.shouldProcessNamespaces = true
        parser.shouldReportNamespacePrefixes = false
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        // On Linux, `parse` returns true even for half a document, or for two documents.
        _ = parser.parse()
        guard !reader.isOutOfBounds else {
            throw .badRequest(
                "The XML is nested more than \(deepest) levels deep, or has more than "
                    + "\(mostElements) elements."
            )
        }
        guard !reader.isMalformed, let root = reader.root else { throw malformed }
        return root
    }

    /// The document without the declaration, processing instructions and comments.
    ///
    /// Foundation's parser crashes on a processing instruction without data, such as `<?a?>`.
    private static func essence(_ bytes: [UInt8]) throws(HubFailure) -> [UInt8] {
        var essence: [UInt8] = []
        var rest = bytes[...]
        while rest.starts(with: byteOrderMark) || rest.first?.isSpace == true {
            rest = rest.dropFirst(rest.starts(with: byteOrderMark) ? byteOrderMark.count : 1)
        }
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            essence += rest[..<open]
            rest = rest[open...]
            if let section = sections.first(where: { rest.starts(with: $0.opening.utf8) }) {
                let inner = rest.dropFirst(section.opening.utf8.count)
                guard let end = inner.firstRange(of: Array(section.closing.utf8))?.upperBound else {
                    throw malformed
                }
                if section.isKept { essence += rest[..<end] }
                rest = rest[end...]
            } else if rest.starts(with: "<!".utf8) {
                throw .badRequest("The XML declares a document type, which is not allowed.")
            } else {
                essence.append(rest.removeFirst())
                // A comment that is removed here could hide the start of a construct that must be
                // refused.
                guard rest.first != UInt8(ascii: "<") else { throw malformed }
            }
        }
        return essence + rest
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static let sections = [
        (opening: "<?", closing: "?>", isKept: false),
        (opening: "<!--", closing: "-->", isKept: false),
        (opening: "<![CDATA[", closing: "]]>", isKept: true),
    ]
    private static let malformed = HubFailure.badRequest("The body is not well-formed XML.")

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
        // The codes 99, 100 and 200 to 205 are namespace errors of libxml2, which this reader
        // ignores.
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

/// An element of a small XML document, with local names, because clients choose their own prefixes.
struct MarkupElement: Equatable, Sendable {
    let name: String
    /// The attributes, without namespace declarations.
    let attributes: [String: String]
    /// The character data directly inside the element, including CDATA.
    var text = ""
    var children: [MarkupElement] = []

    /// Whether `i:nil` says that the element has no value.
    var isNil: Bool { ["true", "1"].contains(attributes["nil"]) }

    /// The first child with a local name that has a value.
    subscript(name: String) -> MarkupElement? {
        children.first { $0.name == name && !$0.isNil }
    }
}
