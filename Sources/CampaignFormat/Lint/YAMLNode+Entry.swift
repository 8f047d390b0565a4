extension YAMLNode {
    func entry(at path: String...) -> Entry? { entry(at: path) }

    func entry(at path: [String]) -> Entry? {
        var entry: Entry?
        var node: YAMLNode? = self
        for key in path {
            guard case .mapping(let entries)? = node?.content else { return nil }
            entry = entries.first { $0.key.scalarText == key }
            node = entry?.value
        }
        return entry
    }

    /// Returns the entries of a key; there is more than one only if `defaults` add to it.
    func entries(_ key: String) -> [Entry] {
        guard case .mapping(let entries) = content else { return [] }
        return entries.filter { $0.key.scalarText == key }
    }

    var scalarText: String? {
        guard !isPlaceholder, case .scalar(let scalar) = content else { return nil }
        return scalar.text
    }

    /// The path of an audience file, whose entry may also have options.
    var filePath: String? { scalarText ?? entry(at: "path")?.value.scalarText }

    var items: [YAMLNode] {
        guard case .sequence(let items) = content else { return [] }
        return items
    }

    /// Visits scalars, but not keys, with the keys that lead to each.
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

    /// Visits all scalars, including keys.
    func eachText(_ visit: (SourceRange, YAMLScalar.Style) -> Void) {
        switch content {
        case .scalar(let scalar): visit(range, scalar.style)
        case .sequence(let items): for item in items { item.eachText(visit) }
        case .mapping(let entries):
            for entry in entries {
                entry.key.eachText(visit)
                entry.value.eachText(visit)
            }
        }
    }
}
