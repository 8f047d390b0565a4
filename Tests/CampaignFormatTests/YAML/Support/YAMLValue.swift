@testable import CampaignFormat

/// The meaning of a document, regardless of how it is written.
indirect enum YAMLValue: Equatable {
    struct Entry: Equatable {
        let key: String
        let value: YAMLValue
    }

    case text(String)
    case list([YAMLValue])
    case mapping([Entry])

    /// nil if a key is not text.
    init?(_ node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar):
            self = .text(scalar.text)
        case .sequence(let items):
            let values = items.compactMap(YAMLValue.init)
            guard values.count == items.count else { return nil }
            self = .list(values)
        case .mapping(let entries):
            let values = entries.compactMap { entry -> Entry? in
                guard let key = entry.key.scalar?.text, let value = YAMLValue(entry.value) else {
                    return nil
                }
                return Entry(key: key, value: value)
            }
            guard values.count == entries.count else { return nil }
            self = .mapping(values)
        }
    }
}
