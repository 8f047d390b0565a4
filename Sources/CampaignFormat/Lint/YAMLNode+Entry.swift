import YAMLSyntax

/// Finding values by the keys that lead to them, for rules that look at a file as it is written.
extension YAMLNode {
    /// The entry that a path of keys leads to; nil where there is none.
    func entry(at path: String...) -> Entry? {
        var entry: Entry?
        var node: YAMLNode? = self
        for key in path {
            guard case .mapping(let entries)? = node?.content else { return nil }
            entry = entries.first { $0.key.scalarText == key }
            node = entry?.value
        }
        return entry
    }

    /// The entries of a key of a mapping, of which there is more than one only where `defaults` add to it.
    func entries(_ key: String) -> [Entry] {
        guard case .mapping(let entries) = content else { return [] }
        return entries.filter { $0.key.scalarText == key }
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
