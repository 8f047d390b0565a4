/// The body of a template: text with expressions in it (reference, section 7).
///
/// `$(p)` is a property, `$(p,n)` its first n characters, `.(p,n)` the same with an ellipsis that counts, and
/// `%(p)` the property URI-encoded. `#(p)` is the property, but where it is all of a JSON string and a number,
/// the quotes go: `"badge":"#(n)"` becomes `"badge":40`. `{'Hi ' + $(p)}` joins texts and properties. A
/// property that is missing is empty. Names compare without case.
///
/// The reference does not say how values are escaped: here values and the texts of concatenations are made fit
/// for the body that they land in, JSON or XML by how it begins. In JSON, an expression outside of a string
/// is a value of its own, a number or a string, so that no property can add to the body's structure.
struct TemplateBody: Sendable, Hashable {
    /// The largest rendered body, in bytes: that of any request.
    static let largest = 65_536

    /// The longest text that is looked at as a number; more than any number in use has.
    private static let longestNumber = 64

    private let parts: [TemplatePart]
    private let encoding: TemplateEncoding

    /// Reads a body as registered; throws a 400 when an expression does not end or cannot be read.
    init(_ text: String) throws(HubFailure) {
        encoding = TemplateEncoding(bodyOf: text)
        parts = try TemplateParser.parts(of: text, in: encoding)
    }

    /// The body for a send, from its properties and the registration's push variables; nil when it would be larger than
    /// ``largest``.
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
            encoding.encoded(style.text(of: values[name] ?? ""))
        case .value(let name, let style):
            Self.value(style.text(of: values[name] ?? ""))
        }
    }

    private static func value(_ text: String) -> String {
        isNumber(text) ? text : JSONText.quoted(text)
    }

    /// Whether a text is a number as JSON writes it (RFC 8259, section 6).
    private static func isNumber(_ text: String) -> Bool {
        guard text.utf8.count <= longestNumber else { return false }
        var rest = Array(text.utf8)[...]
        func skip(_ marks: UInt8...) -> Bool {
            guard let first = rest.first, marks.contains(first) else { return false }
            rest.removeFirst()
            return true
        }
        func skipDigits() -> Int {
            let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            rest = rest[digits.endIndex...]
            return digits.count
        }
        _ = skip(UInt8(ascii: "-"))
        let beginsWithZero = rest.first == UInt8(ascii: "0")
        let whole = skipDigits()
        guard whole == 1 || whole > 1 && !beginsWithZero else { return false }
        if skip(UInt8(ascii: ".")), skipDigits() == 0 { return false }
        if skip(UInt8(ascii: "e"), UInt8(ascii: "E")) {
            _ = skip(UInt8(ascii: "+"), UInt8(ascii: "-"))
            if skipDigits() == 0 { return false }
        }
        return rest.isEmpty
    }
}
