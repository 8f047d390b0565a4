/// How values are made fit for the body that they land in.
enum TemplateEncoding: Sendable, Hashable {
    /// The body is JSON.
    case json
    /// The body is XML.
    case xml
    /// The body is neither.
    case plain

    /// Tells from a body's first character what it is.
    init(bodyOf text: String) {
        switch text.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) {
        case "{", "[": self = .json
        case "<": self = .xml
        default: self = .plain
        }
    }

    /// A value made fit for the body.
    func encoded(_ value: String) -> String {
        switch self {
        case .json: String(JSONText.quoted(value).dropFirst().dropLast())
        case .xml: XMLText.attribute(value)
        case .plain: value
        }
    }
}
