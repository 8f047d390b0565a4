import CampaignCore

/// Finds the lines that may name people; these lines are not shown if people are masked.
///
/// Under a key about people, a value may be a name unless it has the described form.
struct PeopleLines {
    private static let sections: Set = ["audience", "rehearsal"]
    static let names: Set = ["usernames", "testers", "senders"]
    private static let files: Set = ["files", "path"]

    /// Unsorted.
    private(set) var ranges: [SourceRange] = []

    init(in root: YAMLNode, of file: FileShape) {
        search(root, file.root)
    }

    /// Whether keys under a path such as `defaults.audience.exclude` name people.
    static func areNamed(under path: String) -> Bool {
        path.split(separator: ".").contains { sections.contains(String($0)) }
    }

    /// Whether an unknown key may be somebody's name.
    ///
    /// A key under a key about people may be a name. So may a key next to it that resembles no
    /// known key, because lists of names can lose their indentation.
    static func isName(
        _ key: String, near: String?, under path: String, in shape: MappingShape
    ) -> Bool {
        areNamed(under: path)
            || near == nil && shape.hasSections && !FileShape.keys.contains(key)
    }

    private static func isUnlikeOurs(_ key: String, in shape: MappingShape) -> Bool {
        !FileShape.keys.contains(key) && NearestName.nearest(to: key, among: shape.names) == nil
    }

    /// Marks unknown keys and their values, which may be names of people.
    private mutating func search(_ node: YAMLNode, _ shape: MappingShape) {
        switch node.content {
        case .mapping(let entries):
            for entry in entries {
                guard let key = entry.key.scalarText, let described = shape[key] else {
                    let isUnlikeOurs =
                        entry.key.scalarText.map { Self.isUnlikeOurs($0, in: shape) } ?? true
                    let first = shape.hasSections && isUnlikeOurs ? entry.key : entry.value
                    ranges.append(
                        SourceRange(start: first.range.start, end: entry.value.range.end))
                    continue
                }
                if Self.sections.contains(key) || Self.names.contains(key) {
                    mark(entry.value, described.value, under: key)
                } else if let inner = described.value.keyed {
                    search(entry.value, inner)
                }
            }
        case .sequence(let items):
            for item in items { search(item, shape) }
        case .scalar: break
        }
    }

    private mutating func mark(_ node: YAMLNode, _ shape: ValueShape, under key: String) {
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
                    mark(entry.value, described.value, under: key)
                } else {
                    ranges.append(
                        SourceRange(start: entry.key.range.start, end: entry.value.range.end))
                }
            }
        case (.sequence(let items), .list(let item, _)):
            for node in items { mark(node, item, under: key) }
        case (.scalar(let scalar), _):
            let isGood =
                switch key {
                case "campaign": Campaign.isName(scalar.text)
                case "separator": CSVSeparator.parse(scalar.text) != nil
                default:
                    Self.files.contains(key)
                        ? AudienceFile.isLikely(path: scalar.text) : shape.takes(scalar.text)
                }
            if !isGood || shape.isList { ranges.append(node.range) }
        case (.sequence, _): ranges.append(node.range)
        }
    }
}

extension MappingShape {
    fileprivate var hasSections: Bool {
        keys.contains { key in
            PeopleLines.areNamed(under: key.name) || key.value.keyed?.hasSections == true
        }
    }
}

extension ValueShape {
    fileprivate var isList: Bool { if case .list = self { true } else { false } }

    /// Whether text has the described form; other text may be a name.
    fileprivate func takes(_ text: String) -> Bool {
        switch self {
        case .mapping: false
        case .choice(let choices): choices.contains { $0.word == text }
        case .duration: DurationText.usual.parse(text) != nil
        case .integer: text.utf8.allSatisfy(\.isDigit)
        case .boolean: ["true", "false"].contains(text)
        case .text, .texts, .list, .dictionary, .oneOf: true
        }
    }
}
