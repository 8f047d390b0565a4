/// How values are escaped for the body that they are put into.
enum TemplateEncoding: Sendable, Hashable {
    /// The body is JSON.
    case json
    /// The body is XML.
    case xml
    /// The body is neither.
    case plain

    /// Tells from how a body begins what it is.
    ///
    /// One that begins with a concatenation, as a header's value may, is neither JSON nor XML.
    init(bodyOf text: String) {
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        switch start.first {
        case "{" where TemplateParser.isConcatenation(start): self = .plain
        case "{", "[": self = .json
        case "<": self = .xml
        default: self = .plain
        }
    }

    /// A value made fit for the body.
    func encoded(_ value: String) -> String {
        switch self {
        case .json: String(JSONText.quoted(value).dropFirst().dropLast())
        case .xml: XMLText.anywhere(value)
        case .plain: value
        }
    }
}
