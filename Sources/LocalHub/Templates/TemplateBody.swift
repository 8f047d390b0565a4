/// The body of a template: text with expressions in it (reference, section 7).
///
/// `$(p)` is a property, `$(p,n)` its first n characters, `.(p,n)` the same with an ellipsis, `%(p)` the
/// property URI-encoded and `#(p)` as a JSON number; `{'Hi ' + $(p)}` joins texts and properties. A property
/// that is missing is empty. Names compare without case.
///
/// The reference does not say how values are escaped: here they are made fit for the body that they land in,
/// JSON or XML by its first character, so that no value can change the body's structure.
struct TemplateBody: Sendable, Hashable {
    /// The largest rendered body, in bytes: that of any request.
    static let largest = 65_536

    private let parts: [TemplatePart]
    private let encoding: TemplateEncoding

    /// Reads a body.
    ///
    /// - Parameter text: the body as registered.
    /// - Throws: a 400 when an expression does not end or cannot be read.
    init(_ text: String) throws(HubFailure) {
        parts = try TemplateParser.parts(of: text)
        encoding = TemplateEncoding(bodyOf: text)
    }

    /// The body for a send.
    ///
    /// - Parameter properties: the properties of the send and the registration's push variables, by name.
    /// - Returns: the body; nil when it would be larger than ``largest``.
    func rendered(with properties: [String: String]) -> String? {
        let values = Dictionary(
            properties.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { max($0, $1) })
        var result = ""
        for part in parts {
            result += text(of: part, values)
            guard result.utf8.count <= Self.largest else { return nil }
        }
        return result
    }

    private func text(of part: TemplatePart, _ values: [String: String]) -> String {
        switch part {
        case .verbatim(let text): text
        case .literal(let text): encoding.encoded(text)
        case .property(let name, let style):
            switch style {
            case .whole: encoding.encoded(values[name] ?? "")
            case .first(let count): encoding.encoded(String((values[name] ?? "").prefix(count)))
            case .shortened(let count): encoding.encoded(shortened(values[name] ?? "", to: count))
            case .uriEncoded: PercentEncoding.encode(values[name] ?? "")
            case .number: number(values[name] ?? "")
            }
        }
    }

    private func shortened(_ text: String, to count: Int) -> String {
        guard text.count > count else { return text }
        return String(text.prefix(max(count - 3, 0))) + String(repeating: ".", count: min(count, 3))
    }

    /// A value that is no JSON number would break the body, so it becomes 0.
    private func number(_ text: String) -> String {
        text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) == nil ? "0" : text
    }
}
