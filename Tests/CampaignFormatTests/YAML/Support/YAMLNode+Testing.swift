@testable import CampaignFormat

extension YAMLNode {
    var scalar: YAMLScalar? {
        guard case .scalar(let scalar) = content else { return nil }
        return scalar
    }

    var items: [YAMLNode] {
        guard case .sequence(let items) = content else { return [] }
        return items
    }

    var entries: [YAMLNode.Entry] {
        guard case .mapping(let entries) = content else { return [] }
        return entries
    }

    subscript(key: String) -> YAMLNode? {
        entries.first { $0.key.scalar?.text == key }?.value
    }

    /// The tree on one line: `{a: [b "c" 'd' |e >f]}`.
    var outline: String {
        let text: String =
            switch content {
            case .scalar(let scalar):
                switch scalar.style {
                case .plain: scalar.text.isEmpty ? "∅" : scalar.text
                case .singleQuoted: "'\(scalar.text)'"
                case .doubleQuoted: "\"\(scalar.text)\""
                case .literal: "|\(scalar.text)"
                case .folded: ">\(scalar.text)"
                }
            case .sequence(let items):
                "[" + items.map(\.outline).joined(separator: " ") + "]"
            case .mapping(let entries):
                "{"
                    + entries.map { "\($0.key.outline): \($0.value.outline)" }
                    .joined(separator: " ") + "}"
            }
        return (tag.map { $0 + " " } ?? "") + text
    }
}

func parse(_ text: String, limits: YAMLLimits = YAMLLimits()) -> YAMLDocument {
    YAMLParser.parse(Array(text.utf8), limits: limits)
}
