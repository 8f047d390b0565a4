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
