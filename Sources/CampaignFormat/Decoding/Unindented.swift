/// Keys followed by keys that lack indentation, so that YAML reads them as siblings instead of
/// children.
struct Unindented {
    private struct Section {
        let key: YAMLNode.Entry
        let name: String
        /// Entries that were probably meant to be inside the key; at least one.
        let children: [YAMLNode.Entry]
        /// Whether the outer mapping can have these keys too, so that they may be in the right
        /// place.
        let isUncertain: Bool
    }

    private let sections: [Section]
    /// Indices of the keys without a value.
    let parents: Set<Int>
    /// Indices of entries that only make sense inside one of these keys.
    let children: Set<Int>

    init(_ entries: [YAMLNode.Entry], under path: String, in shape: MappingShape) {
        var sections: [Section] = []
        var parents: Set<Int> = []
        var children: Set<Int> = []
        for (number, entry) in entries.enumerated() where Self.isEmpty(entry.value) {
            guard let name = entry.key.scalarText,
                case .mapping(let inner)? = shape[name]?.value
            else { continue }
            let next = entries[(number + 1)...].prefix { next in
                guard let key = next.key.scalarText else { return false }
                return inner.names.contains(key)
                    && next.key.range.start.column == entry.key.range.start.column
                    && (!shape.names.contains(key) || KeySynonyms.isExclusion(name))
            }
            guard !next.isEmpty else { continue }
            let isUncertain = next.contains { $0.key.scalarText.map(shape.names.contains) == true }
            parents.insert(number)
            if !isUncertain { children.formUnion(next.indices) }
            sections.append(
                Section(
                    key: entry, name: path.isEmpty ? name : "\(path).\(name)",
                    children: Array(next), isUncertain: isUncertain))
        }
        self.sections = sections
        self.parents = parents
        self.children = children
    }

    private static func isEmpty(_ node: YAMLNode) -> Bool {
        guard case .scalar(let scalar) = node.content, !node.isPlaceholder else { return false }
        return scalar.style == .plain && scalar.text.isEmpty
    }

    func report(to findings: Findings) {
        for section in sections {
            let first = findings.files.place(of: section.children[0].key.range).range.line
            let last = findings.files.place(
                of: section.children[section.children.count - 1].value.range
            )
            .range.endLine
            let isOne = last == first
            let lines = isOne ? "line \(first)" : "lines \(first) to \(last)"
            findings.error(
                .indentation, at: section.key.key.range,
                "\"\(section.name)\" has no value, because the lines below it are not indented.",
                help: section.isUncertain
                    ? "If \(lines) should be part of it, indent \(isOne ? "it" : "them") by two more spaces. At the moment, \(isOne ? "it names" : "they name") people who get the push."
                    : "Indent \(lines) by two more spaces.")
        }
    }
}
