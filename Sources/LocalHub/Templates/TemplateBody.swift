/// The body of a template: text with expressions.
///
/// `$(p)` is a property, `$(p,n)` its first n characters, `.(p,n)` the same, but ending with an
/// ellipsis (which is included in n) if the property is longer, and `%(p)` the property with URI
/// encoding. `#(p)` is the property; if it is a number and fills a whole JSON string, the quotation
/// marks are removed: `"badge":"#(n)"` becomes `"badge":40`. `{'Hi ' + $(p)}` joins text and
/// properties. A missing property is treated as empty. Names are case-insensitive.
///
/// Values are escaped for JSON or XML, depending on how the body begins. In JSON, an expression
/// outside a string becomes a number or a string, so that no property can change the body's
/// structure.
struct TemplateBody: Sendable, Hashable {
    /// The maximum size in bytes, which is also the limit for a request body.
    static let largest = 65_536

    /// The longest text that is treated as a number.
    private static let longestNumber = 64

    private let parts: [TemplatePart]
    private let encoding: TemplateEncoding

    /// Parses a body; throws a 400 if an expression is malformed.
    init(_ text: String) throws(HubFailure) {
        encoding = TemplateEncoding(bodyOf: text)
        parts = try TemplateParser.parts(of: text, in: encoding)
    }

    /// The body with its properties filled in; nil if it would be larger than ``largest``.
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

    /// Whether some text is a JSON number (RFC 8259, section 6).
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
