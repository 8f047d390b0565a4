import CampaignCore

/// What a kind of file may hold: the one description that its decoder, `hubsend schema` and the manual's test share.
package struct FileShape: Sendable {
    /// Such as `campaign`.
    package let name: String
    /// What the file is, as an editor shows it.
    let title: String
    let summary: String
    let root: MappingShape

    init(_ name: String, title: String, _ summary: String, root: MappingShape) {
        self.name = name
        self.title = title
        self.summary = summary
        self.root = root
    }

    /// All kinds of files.
    package static let all = [campaign, config, devices, faults]

    /// Every key with those that lead to it, such as `audience.exclude.files`, each once.
    package var paths: [String] {
        var seen: Set<String> = []
        return sections.flatMap { section in
            section.shape.names.map { section.path.isEmpty ? $0 : section.path + "." + $0 }
        }.filter { seen.insert($0).inserted }
    }

    /// The keys of all kinds of files, without those that lead to them.
    static let keys = Set(all.flatMap { $0.sections.flatMap(\.shape.names) })

    /// A line with a good value of a key, as it stands in its mapping, and as it stands in the file, with the keys that must be
    /// beside it.
    ///
    /// - Parameter path: the key with those that lead to it, such as `schedule.at`.
    /// - Returns: nil where there is no such key.
    func line(for path: String) -> (inPlace: String, whole: String)? {
        var shape: MappingShape? = root
        var beside: [KeyShape] = []
        var line: String?
        let names = path.split(separator: ".").map(String.init)
        for name in names {
            guard let section = shape, let key = section[name] else { return nil }
            beside = section.keys.filter { $0.isRequired && $0.name != name }
            line = key.line
            shape = key.value.keyed
        }
        guard let line else { return nil }
        let lines = [line] + (names.count > 1 ? beside.map(\.line) : [])
        let whole = names.dropLast().reversed().reduce(lines.joined(separator: ", ")) {
            "\($1): { \($0) }"
        }
        return (line, whole)
    }

    /// The paths of the mappings that have a key, the outermost first.
    func sections(with key: String) -> [String] {
        sections.filter { $0.shape.names.contains(key) }.map(\.path)
    }

    private var sections: [(path: String, shape: MappingShape)] { root.sections(at: "") }
}

/// A mapping whose keys are known.
struct MappingShape: Sendable {
    /// What holds between keys, as far as it does not depend on values.
    enum Rule: Sendable {
        case exactlyOne([String])
        case atMostOne([String])
        /// The first key means nothing without the second.
        case needs(String, String)
        /// The first key means nothing without one of the others, each with those that lead to it, such as `delivery.rate`.
        case needsAny(String, [String])
    }

    /// In the contract's order.
    let keys: [KeyShape]
    let rules: [Rule]
    /// Keys that somebody may expect here, and why there are none.
    let refusals: [String: String]
    /// The keys' names.
    let names: [String]
    /// The names of those without which a file is refused.
    let required: [String]

    init(_ keys: [KeyShape], rules: [Rule] = [], refusals: [String: String] = [:]) {
        self.keys = keys
        self.rules = rules
        self.refusals = refusals
        names = keys.map(\.name)
        required = keys.filter(\.isRequired).map(\.name)
    }

    subscript(key: String) -> KeyShape? { names.firstIndex(of: key).map { keys[$0] } }

    /// This mapping and those beneath it, with the keys that lead to each.
    fileprivate func sections(at path: String) -> [(path: String, shape: MappingShape)] {
        let inner = keys.flatMap { key in
            key.value.mappings.flatMap {
                $0.sections(at: path.isEmpty ? key.name : path + "." + key.name)
            }
        }
        return [(path, self)] + inner
    }
}

/// A key: what an editor says about it, and what its value may be.
struct KeyShape: Sendable {
    let name: String
    let title: String
    let summary: String
    let value: ValueShape
    /// Whether the file is refused without it.
    let isRequired: Bool
    /// What holds without it, as a file would write it.
    let standard: String?
    /// Good values, as a file would write them.
    let examples: [String]
    /// The kinds of campaigns that have it.
    let kinds: Set<CampaignKind>
    /// The kinds of campaigns that cannot do without it.
    let requiringKinds: Set<CampaignKind>
    /// Whether each campaign says it itself, so that the config's `defaults` cannot.
    let isCampaignsOwn: Bool

    /// Describes a key.
    ///
    /// - Parameters:
    ///   - name: the key itself.
    ///   - title: a few words; nil: those of the name.
    ///   - value: what its value may be.
    ///   - summary: what it does, in plain sentences.
    init(
        _ name: String, title: String? = nil, _ value: ValueShape, isRequired: Bool = false,
        standard: String? = nil, examples: [String] = [],
        kinds: Set<CampaignKind> = Set(CampaignKind.allCases),
        requiringKinds: Set<CampaignKind> = [], isCampaignsOwn: Bool = false,
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
    }
}

extension KeyShape {
    /// The key with a good value, as a file would write it.
    var line: String { "\(name): \(examples.first ?? unusual ?? standard ?? value.example)" }

    /// Of a boolean the value that makes a difference.
    private var unusual: String? {
        if case .boolean = value { standard == "true" ? "false" : "true" } else { nil }
    }
}

extension ValueShape {
    /// A good value of a key that has no example of its own.
    fileprivate var example: String {
        switch self {
        case .boolean: "true"
        case .integer(let bounds): "\(bounds.lowerBound)"
        case .choice(let choices): choices.first?.word ?? "…"
        case .duration: "10m"
        case .mapping(let shape):
            "{ \((shape.required.isEmpty ? Array(shape.keys.prefix(1)) : shape.keys.filter(\.isRequired)).map(\.line).joined(separator: ", ")) }"
        case .list(let item, _): "[\(item.example)]"
        case .oneOf(let shapes): shapes.first?.example ?? "…"
        case .text, .texts: "…"
        case .dictionary: "{ key: text }"
        }
    }
}

/// What a value may be.
indirect enum ValueShape: Sendable {
    case text(TextForm)
    case integer(ClosedRange<Int>)
    case boolean
    case choice([Choice])
    /// From one second up to a longest time.
    case duration(upTo: Duration = DurationText.longest)
    case list(of: ValueShape, ListBounds)
    case mapping(MappingShape)
    /// Any keys of one form, with texts; at most so many.
    case dictionary(names: TextForm, values: TextForm, atMost: Int)
    /// A text, or a mapping of texts by language with the key `default`.
    case texts
    case oneOf([ValueShape])

    /// What is said about a text that does not have the value's form.
    var reading: TextForm.Fault {
        switch self {
        case .text(let form): form.reading
        case .duration: TextForm.duration.reading
        default: preconditionFailure("The value is not described as a text.")
        }
    }

    /// The mapping that the value or its items may be.
    var keyed: MappingShape? { mappings.first }

    /// The mappings with known keys that the value or its items may be.
    fileprivate var mappings: [MappingShape] {
        switch self {
        case .mapping(let shape): [shape]
        case .list(let item, _): item.mappings
        case .oneOf(let shapes): shapes.flatMap(\.mappings)
        case .text, .integer, .boolean, .choice, .duration, .dictionary, .texts: []
        }
    }
}

/// A word that a key takes.
struct Choice: Sendable {
    let word: String
    let summary: String
    /// Whether it is an old spelling, which is taken with a warning.
    var isOld = false

    init(_ word: String, _ summary: String, isOld: Bool = false) {
        self.word = word
        self.summary = summary
        self.isOld = isOld
    }
}

extension [Choice] {
    /// The words of an enumeration.
    static func all<Value>(
        _: Value.Type = Value.self, _ summary: (Value) -> String
    ) -> [Choice] where Value: RawRepresentable<String> & CaseIterable {
        Value.allCases.map { Choice($0.rawValue, summary($0)) }
    }
}

/// How many items a list has, and whether one may come twice.
struct ListBounds: Sendable {
    var atLeast = 0
    /// nil: any number.
    var atMost: Int?
    var isSet = false
}
