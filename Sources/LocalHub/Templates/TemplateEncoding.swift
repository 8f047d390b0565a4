/// How values are escaped in the body.
enum TemplateEncoding: Sendable, Hashable {
    case json
    case xml
    case plain

    /// The encoding is chosen by the start of the body; a concatenation, for example in a header,
    /// is plain.
    init(bodyOf text: String) {
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        switch start.first {
        case "{" where TemplateParser.isConcatenation(start): self = .plain
        case "{", "[": self = .json
        case "<": self = .xml
        default: self = .plain
        }
    }

    func encoded(_ value: String) -> String {
        switch self {
        case .json: String(JSONText.quoted(value).dropFirst().dropLast())
        case .xml: XMLText.anywhere(value)
        case .plain: value
        }
    }
}
