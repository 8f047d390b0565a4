/// The places of a file's keys, by paths such as `delivery.rate`; keys within lists are left out.
struct KeyPlaces: Sendable {
    struct Place: Sendable {
        let key: SourceRange
        let value: SourceRange
        fileprivate let isMapping: Bool

        /// The range to mark in a finding: a mapping's key, or any other value itself.
        var mark: SourceRange { isMapping ? key : value }
    }

    private var places: [String: Place] = [:]

    init() {}

    init(_ root: YAMLNode) {
        add(root, under: "")
    }

    subscript(path: String) -> Place? { places[path] }

    private mutating func add(_ node: YAMLNode, under path: String) {
        guard case .mapping(let entries) = node.content else { return }
        for entry in entries {
            guard let name = entry.key.scalarText, places[path + name] == nil else { continue }
            let isMapping = if case .mapping = entry.value.content { true } else { false }
            places[path + name] = Place(
                key: entry.key.range, value: entry.value.range, isMapping: isMapping)
            add(entry.value, under: path + name + ".")
        }
    }
}
