import YAMLSyntax

/// Finds where a file may name people: their lines are not shown where people are masked.
///
/// Under a key that is about people only what is written as described is known to name nobody. Whatever stands there in another
/// shape, or under a key that there is not, may be somebody's name.
struct PeopleLines {
    /// The keys that are about people.
    private static let sections: Set = ["audience", "rehearsal"]
    /// The lists of their names.
    private static let names: Set = ["usernames", "testers"]
    /// The keys of files that name them.
    private static let files: Set = ["files", "path"]

    /// In no order.
    private(set) var ranges: [SourceRange] = []

    /// Looks through a file.
    ///
    /// - Parameters:
    ///   - root: the file's value.
    ///   - file: what such a file may hold.
    init(in root: YAMLNode, of file: FileShape) {
        lookAround(in: root, file.root)
    }

    /// Whether keys under a path are about people, such as `defaults.audience.exclude`.
    static func areNamed(under path: String) -> Bool {
        path.split(separator: ".").contains { sections.contains(String($0)) }
    }

    /// Whether an unknown key may be somebody's name: under a key about people, or beside it when it is like no key of ours, as
    /// where a name lost its indentation.
    ///
    /// - Parameters:
    ///   - key: the key, which the mapping cannot have.
    ///   - path: the keys that lead to the mapping.
    ///   - shape: what the mapping may have.
    static func isName(_ key: String, under path: String, in shape: MappingShape) -> Bool {
        areNamed(under: path) || shape.hasSections && isUnlikeOurs(key, in: shape)
    }

    private static func isUnlikeOurs(_ key: String, in shape: MappingShape) -> Bool {
        !FileShape.keys.contains(key) && NearestName.nearest(to: key, among: shape.names) == nil
    }

    /// A mapping beside whose other keys there are those about people; an unknown key and its value may be meant as theirs.
    private mutating func lookAround(in node: YAMLNode, _ shape: MappingShape) {
        guard shape.hasSections, case .mapping(let entries) = node.content else { return }
        for entry in entries {
            guard let key = entry.key.scalarText, let described = shape[key] else {
                let key = entry.key.scalarText
                let isName = key.map { Self.isUnlikeOurs($0, in: shape) } ?? true
                let first = isName ? entry.key : entry.value
                ranges.append(
                    SourceRange(start: first.range.start, end: entry.value.range.end))
                continue
            }
            if Self.sections.contains(key) {
                look(at: entry.value, described.value, under: key)
            } else if let inner = described.value.keyed {
                lookAround(in: entry.value, inner)
            }
        }
    }

    /// - Parameter key: the last one that leads to the value.
    private mutating func look(at node: YAMLNode, _ shape: ValueShape, under key: String) {
        guard !Self.names.contains(key) else {
            ranges.append(node.range)
            return
        }
        switch (node.content, shape) {
        case (.mapping(let entries), _):
            guard let keys = shape.keyed, !shape.isList else {
                ranges.append(node.range)
                return
            }
            for entry in entries {
                if let key = entry.key.scalarText, let described = keys[key] {
                    look(at: entry.value, described.value, under: key)
                } else {
                    ranges.append(
                        SourceRange(start: entry.key.range.start, end: entry.value.range.end))
                }
            }
        case (.sequence(let items), .list(let item, _)):
            for node in items { look(at: node, item, under: key) }
        case (.scalar(let scalar), _):
            let isPath = Self.files.contains(key)
            let isGood = isPath ? AudienceFile.isLikely(path: scalar.text) : !shape.isKeyed
            if shape.isList || !isGood { ranges.append(node.range) }
        case (.sequence, _): ranges.append(node.range)
        }
    }
}

extension MappingShape {
    /// Whether it, or a mapping in it, has keys about people.
    fileprivate var hasSections: Bool {
        keys.contains { key in
            PeopleLines.areNamed(under: key.name) || key.value.keyed?.hasSections == true
        }
    }
}

extension ValueShape {
    fileprivate var isList: Bool { if case .list = self { true } else { false } }

    /// Whether nothing but a mapping is taken.
    fileprivate var isKeyed: Bool { if case .mapping = self { true } else { false } }
}
