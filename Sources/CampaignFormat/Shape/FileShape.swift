import CampaignCore

/// The keys and values of a kind of file; used by the decoder, `hubsend schema` and a test of the
/// manual.
package struct FileShape: Sendable {
    package let name: String
    let title: String
    let summary: String
    let root: MappingShape

    init(_ name: String, title: String, _ summary: String, root: MappingShape) {
        self.name = name
        self.title = title
        self.summary = summary
        self.root = root
    }

    package static let all = [campaign, config, devices, faults]

    /// The paths of all keys, such as `audience.exclude.files`, without repeats.
    package var paths: [String] {
        var seen: Set<String> = []
        return sections.flatMap { section in
            section.shape.names.map { section.path.isEmpty ? $0 : section.path + "." + $0 }
        }.filter { seen.insert($0).inserted }
    }

    static let keys = Set(all.flatMap { $0.sections.flatMap(\.shape.names) })

    /// The key at a path such as `schedule.at`.
    subscript(path: String) -> KeyShape? {
        var key: KeyShape?
        for name in path.split(separator: ".") {
            guard let found = (key == nil ? root : key?.value.keyed)?[String(name)] else {
                return nil
            }
            key = found
        }
        return key
    }

    /// The line to write in the mapping at `outer` for the key at a path.
    ///
    /// The line includes any sections in between. It contains the value that the author wrote
    /// elsewhere or, if that value does not fit, an example.
    func line(
        for path: String, in outer: String = "", fitting node: YAMLNode? = nil
    ) -> DiagnosticMessage? {
        let section = KeySynonyms.section(of: path)
        guard let key = self[path] else { return nil }
        var line = key.line(fitting: node, under: path)
        guard section != outer else { return line }
        for other in self[String(section)]?.value.keyed?.keys ?? []
        where other.isRequired && other.name != key.name {
            line = "\(line), \(other.line)"
        }
        let isWithin = outer.isEmpty || section.hasPrefix(outer + ".")
        let between = isWithin ? section.dropFirst(outer.count) : section
        return between.split(separator: ".").reversed().reduce(line) { "\($1): { \($0) }" }
    }

    /// The paths of the sections that can have a key, outermost first.
    func sections(with key: String) -> [String] {
        sections.filter { $0.shape.names.contains(key) }.map(\.path)
    }

    private var sections: [(path: String, shape: MappingShape)] { root.sections(at: "") }
}

struct MappingShape: Sendable {
    /// A rule between keys, regardless of their values.
    enum Relation: Sendable {
        case exactlyOne([String])
        case atMostOne([String])
        /// The first key has no effect without the second.
        case needs(String, String)
        /// The first key requires one of the others: keys of the file, or paths such as
        /// `delivery.rate`.
        case needsAny(String, [String])
    }

    let keys: [KeyShape]
    let relations: [Relation]
    /// Keys that people may expect here, and why they do not exist.
    let refusals: [String: String]
    /// The rule of findings about ``Relation/exactlyOne(_:)``; nil means the usual rule.
    let choiceRule: Rule?
    let names: [String]

    init(
        _ keys: [KeyShape], relations: [Relation] = [], refusals: [String: String] = [:],
        choiceRule: Rule? = nil
    ) {
        self.keys = keys
        self.relations = relations
        self.refusals = refusals
        self.choiceRule = choiceRule
        names = keys.map(\.name)
    }

    subscript(key: String) -> KeyShape? { names.firstIndex(of: key).map { keys[$0] } }

    func names(requiredBy kind: CampaignKind?) -> [String] {
        keys.filter { $0.isRequired || kind.map($0.requiringKinds.contains) == true }.map(\.name)
    }

    /// Whether campaigns of the kind have the key; true if the kind or the key is not known.
    func has(_ key: String, for kind: CampaignKind?) -> Bool {
        kind.map { self[key]?.kinds.contains($0) != false } ?? true
    }

    /// The mapping and all nested mappings, each with its path.
    fileprivate func sections(at path: String) -> [(path: String, shape: MappingShape)] {
        let inner = keys.flatMap { key in
            key.value.mappings.flatMap {
                $0.sections(at: path.isEmpty ? key.name : path + "." + key.name)
            }
        }
        return [(path, self)] + inner
    }
}

struct KeyShape: Sendable {
    let name: String
    let title: String
    let summary: String
    let value: ValueShape
    let isRequired: Bool
    /// The default, as a file would write it.
    let standard: String?
    let examples: [String]
    let kinds: Set<CampaignKind>
    let requiringKinds: Set<CampaignKind>
    /// Keys that the config's `defaults` cannot have.
    let isCampaignsOwn: Bool
    /// Rewrites text that was written in place of keys or a list; if nil, the text is rewritten
    /// like any other value.
    let bare: (@Sendable (YAMLNode, CampaignKind?) -> DiagnosticMessage?)?

    /// - Parameter title: a few words; if nil, the words of the name are used.
    init(
        _ name: String, title: String? = nil, _ value: ValueShape, isRequired: Bool = false,
        standard: String? = nil, examples: [String] = [],
        kinds: Set<CampaignKind> = Set(CampaignKind.allCases),
        requiringKinds: Set<CampaignKind> = [], isCampaignsOwn: Bool = false,
        bare: (@Sendable (YAMLNode, CampaignKind?) -> DiagnosticMessage?)? = nil,
        _ summary: String
    ) {
        self.name = name
        let words = name.replacing("_", with: " ")
        self.title = title ?? words.prefix(1).uppercased() + words.dropFirst()
        self.summary = summary
        self.value = value
        self.isRequired = isRequired
        self.standard = standard
        self.examples = examples
        self.kinds = kinds
        self.requiringKinds = requiringKinds
        self.isCampaignsOwn = isCampaignsOwn
        self.bare = bare
    }
}

extension KeyShape {
    var isForAllKinds: Bool { kinds.count == CampaignKind.allCases.count }

    /// The key with a valid value, as a file would write it.
    var line: String { "\(name): \(examples.first ?? unusual ?? standard ?? value.example)" }

    /// The value of a boolean that differs from the default.
    private var unusual: String? {
        if case .boolean = value { standard == "true" ? "false" : "true" } else { nil }
    }
}

extension ValueShape {
    fileprivate var example: String {
        switch self {
        case .boolean: "true"
        case .integer(let bounds): "\(bounds.lowerBound)"
        case .choice(let choices): choices.first?.word ?? "…"
        case .duration: "10m"
        case .mapping(let shape):
            "{ \((shape.keys.contains(where: \.isRequired) ? shape.keys.filter(\.isRequired) : Array(shape.keys.prefix(1))).map(\.line).joined(separator: ", ")) }"
        case .list(let item, _): "[\(item.example)]"
        case .oneOf(let shapes): shapes.first?.example ?? "…"
        case .text, .texts: "…"
        case .dictionary: "{ key: text }"
        }
    }
}

indirect enum ValueShape: Sendable {
    case text(TextForm)
    case integer(ClosedRange<Int>)
    case boolean
    case choice([Choice])
    /// A duration of at least one second.
    case duration(upTo: Duration = DurationText.usual.longest)
    case list(of: ValueShape, ListBounds)
    case mapping(MappingShape)
    /// Arbitrary keys of a given form, with text values.
    case dictionary(names: TextForm, values: TextForm, atMost: Int)
    /// Text, or a mapping from languages to texts with the key `default`.
    case texts
    case oneOf([ValueShape])

    /// The sentence for text that does not have the form.
    var reading: TextForm.Mismatch {
        switch self {
        case .text(let form): form.reading
        case .duration: TextForm.duration.reading
        default: preconditionFailure("The value is not described as text.")
        }
    }

    var keyed: MappingShape? { mappings.first }

    /// The minimum and maximum number of items; only lists have bounds.
    var bounds: ListBounds { if case .list(_, let bounds) = self { bounds } else { ListBounds() } }

    /// The words of a choice, or of a list of choices.
    var words: [String] {
        switch self {
        case .choice(let choices): choices.map(\.word)
        case .list(let item, _): item.words
        default: preconditionFailure("The value is not described as a choice.")
        }
    }

    fileprivate var mappings: [MappingShape] {
        switch self {
        case .mapping(let shape): [shape]
        case .list(let item, _): item.mappings
        case .oneOf(let shapes): shapes.flatMap(\.mappings)
        case .text, .integer, .boolean, .choice, .duration, .dictionary, .texts: []
        }
    }
}

struct Choice: Sendable {
    let word: String
    let summary: String
    /// An old spelling, accepted with a warning.
    var isOld = false

    init(_ word: String, _ summary: String, isOld: Bool = false) {
        self.word = word
        self.summary = summary
        self.isOld = isOld
    }
}

extension [Choice] {
    static func all<Value>(
        _: Value.Type = Value.self, _ summary: (Value) -> String
    ) -> [Choice] where Value: RawRepresentable<String> & CaseIterable {
        Value.allCases.map { Choice($0.rawValue, summary($0)) }
    }
}

struct ListBounds: Sendable {
    var atLeast = 0
    /// nil means any number.
    var atMost: Int?
    var isSet = false
}
