import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Reads the text of a Windows toast.
final class ToastText: NSObject, XMLParserDelegate {
    private var isInText = false
    private var isFirst = true
    private var isBroken = false
    private var text = ""

    /// Reads a toast.
    ///
    /// - Parameter body: XML; without a document type, whose entities could grow.
    /// - Returns: the texts, a line each; nil when it is no toast, or has none.
    static func read(_ body: Data) -> String? {
        guard body.firstRange(of: Data("<!DOCTYPE".utf8)) == nil else { return nil }
        let reader = ToastText()
        let parser = XMLParser(data: body)
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        guard parser.parse(), !reader.isBroken, !reader.text.isEmpty else { return nil }
        return reader.text
    }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName qName: String?, attributes attributeDict: [String: String] = [:]
    ) {
        if isFirst, elementName != "toast" { parser.abortParsing() }
        isFirst = false
        isInText = elementName == "text"
        if isInText, !text.isEmpty { text += "\n" }
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
        qualifiedName qName: String?
    ) {
        isInText = false
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if isInText { text += string }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        isBroken = true
    }
}
