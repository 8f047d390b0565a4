import HTTPServing

enum TemplatePart: Sendable, Hashable {
    enum Style: Sendable, Hashable {
        case whole
        case first(Int)
        /// The first characters, with an ellipsis if the value is longer.
        case shortened(Int)
        case uriEncoded
        /// The whole value; if it fills a JSON string and is a number, it becomes a number.
        case number
    }

    /// Text from the body itself.
    case verbatim(String)
    /// Text within an expression, which is escaped like a value.
    case literal(String)
    /// A property within text; its name is in lower case.
    case property(String, Style)
    /// A property as a JSON value: a number is unchanged, and anything else becomes a string.
    case value(String, Style)
}

extension TemplatePart.Style {
    /// The property in this style, before it is escaped.
    func text(of value: String) -> String {
        switch self {
        case .whole, .number: value
        case .first(let count): String(value.prefix(count))
        case .shortened(let count): Self.shortened(value, to: count)
        case .uriEncoded: PercentEncoding.encode(value)
        }
    }

    private static func shortened(_ value: String, to count: Int) -> String {
        guard !value.dropFirst(count).isEmpty else { return value }
        return String(value.prefix(max(count - 3, 0)))
            + String(repeating: ".", count: min(count, 3))
    }
}
