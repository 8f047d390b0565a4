import HTTPServing

/// A piece of a template's body.
enum TemplatePart: Sendable, Hashable {
    /// How a property's value is written.
    enum Style: Sendable, Hashable {
        /// All of it.
        case whole
        /// Its first characters.
        case first(Int)
        /// Its first characters, with an ellipsis when it is longer.
        case shortened(Int)
        /// Percent-encoded.
        case uriEncoded
        /// All of it; alone in a JSON string it becomes a number if it can.
        case number
    }

    /// Text of the body itself, written as it stands.
    case verbatim(String)
    /// A text within an expression, written as a value is.
    case literal(String)
    /// A property within text; its name is in lower case.
    case property(String, Style)
    /// A property that is a JSON value of its own: a number as it stands, anything else as a string.
    case value(String, Style)
}

extension TemplatePart.Style {
    /// What the style makes of a property, not yet escaped.
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
