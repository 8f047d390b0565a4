import YAMLSyntax

/// Finding values by the keys that lead to them, for rules that look at a file as it is written.
extension YAMLNode {
    /// The entry of a key of a mapping; nil for other nodes.
    func entry(_ key: String) -> Entry? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.first { $0.key.scalarText == key }
    }

    /// The entry that a path of keys leads to.
    func entry(_ first: String, _ rest: String...) -> Entry? {
        rest.reduce(entry(first)) { $0?.value.entry($1) }
    }

    /// What a scalar says; nil for other nodes.
    var scalarText: String? {
        guard !isPlaceholder, case .scalar(let scalar) = content else { return nil }
        return scalar.text
    }

    /// The items of a list; empty for other nodes.
    var items: [YAMLNode] {
        guard case .sequence(let items) = content else { return [] }
        return items
    }

    /// Calls a function with every scalar within, keys excluded, and the key that it stands under.
    ///
    /// - Parameters:
    ///   - isLeftOut: whether the value of an entry is passed over, by the keys that lead to it.
    ///   - visit: takes a scalar's node and the keys that lead to it.
    func eachScalar(
        under path: [String] = [], leavingOut isLeftOut: ([String]) -> Bool = { _ in false },
        _ visit: (YAMLNode, [String]) -> Void
    ) {
        switch content {
        case .scalar: visit(self, path)
        case .sequence(let items):
            for item in items { item.eachScalar(under: path, leavingOut: isLeftOut, visit) }
        case .mapping(let entries):
            for entry in entries {
                let inner = path + [entry.key.scalarText ?? ""]
                if !isLeftOut(inner) {
                    entry.value.eachScalar(under: inner, leavingOut: isLeftOut, visit)
                }
            }
        }
    }
}
