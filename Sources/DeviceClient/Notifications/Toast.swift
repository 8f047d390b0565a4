import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The text of a Windows toast, and the values that are passed to the app when it is opened.
struct Toast {
    /// The first text element if there are several; nil if there is only one.
    let title: String?
    /// The only text element, or all text elements after the first, one per line.
    let text: String
    /// The names and values in `launch`, which is written like a URL query.
    let arguments: [AnyHashable: Any]

    /// Reads a toast; nil if it is invalid or has no text.
    ///
    /// - Parameter body: XML in UTF-8, without a document type, which would allow entity expansion
    ///   attacks.
    static func read(_ body: Data) -> Toast? {
        guard let document = document(in: body) else { return nil }
        let reader = ToastReader()
        let parser = XMLParser(data: document)
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        guard parser.parse(), !reader.isBroken else { return nil }
        let lines = reader.lines.filter { !$0.isEmpty }
        guard let first = lines.first else { return nil }
        let arguments = arguments(reader.launch)
        guard lines.count > 1 else { return Toast(title: nil, text: first, arguments: arguments) }
        return Toast(
            title: first, text: lines.dropFirst().joined(separator: "\n"), arguments: arguments)
    }

    /// The XML without its declaration; nil if it has a document type or an instruction.
    ///
    /// The declaration could specify another encoding, in which a document type could be hidden. On
    /// Linux, Foundation's parser crashes on an instruction without data, such as `<?a?>`.
    private static func document(in body: Data) -> Data? {
        var document = body.drop { " \t\r\n".utf8.contains($0) }
        if document.starts(with: "<?xml ".utf8), let end = document.firstRange(of: Data("?>".utf8))
        {
            document = document[end.upperBound...]
        }
        let hasOther = ["<!DOCTYPE", "<?"].contains {
            document.firstRange(of: Data($0.utf8)) != nil
        }
        return hasOther ? nil : Data(document)
    }

    /// Reads names and values; skips anything malformed.
    private static func arguments(_ launch: String) -> [AnyHashable: Any] {
        var arguments: [AnyHashable: Any] = [:]
        for part in launch.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, let name = String(pair[0]).removingPercentEncoding,
                let value = String(pair[1]).removingPercentEncoding
            else { continue }
            arguments[name] = value
        }
        return arguments
    }
}

private final class ToastReader: NSObject, XMLParserDelegate {
    private var isInText = false
    private var isFirst = true
    private(set) var isBroken = false
    private(set) var lines: [String] = []
    private(set) var launch = ""

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
        qualifiedName qName: String?, attributes attributeDict: [String: String] = [:]
    ) {
        if isFirst {
            if elementName != "toast" { parser.abortParsing() }
            launch = attributeDict["launch"] ?? ""
        }
        isFirst = false
        isInText = elementName == "text"
        if isInText { lines.append("") }
    }

    func parser(
        _ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?,
        qualifiedName qName: String?
    ) {
        isInText = false
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if isInText { lines[lines.count - 1] += string }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        isBroken = true
    }
}
