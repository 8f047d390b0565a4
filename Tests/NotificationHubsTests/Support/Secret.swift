import FoundationEssentials

/// An example secret, and ways to find out whether some text reveals it.
enum Secret {
    static let key = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

    static let connectionString =
        "Endpoint=sb://contoso.servicebus.windows.net/;SharedAccessKeyName=DefaultFullSharedAccessSignature;"
        + "SharedAccessKey=\(key)"

    static func texts(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(describing: value), String(reflecting: value), dumped]
            + mirrored(value, depth: 0)
    }

    private static func mirrored(_ value: Any, depth: Int) -> [String] {
        guard depth < 8 else { return [] }
        return Mirror(reflecting: value).children.flatMap { child in
            ["\(child.value)", String(reflecting: child.value)]
                + mirrored(child.value, depth: depth + 1)
        }
    }

    /// Whether a text contains a large part of the key, or its bytes as `dump` lists them.
    static func isIn(_ text: String) -> Bool {
        text.contains(key.prefix(12)) || text.contains("- 77\n")
    }
}
