import CampaignCore
import Files

/// Reads the keys of one mapping, each in the form that the file's description requires.
///
/// It reports keys that are unknown, missing, not for the campaign's kind, or in conflict. Readers
/// return nil if the key is absent, or after reporting what is wrong with its value.
struct MappingReader {
    let findings: Findings
    let keyRange: SourceRange
    /// The campaign's kind; nil in other files, and if the campaign does not set it.
    let kind: CampaignKind?
    let shape: MappingShape
    /// The path of keys, such as `audience.exclude`; empty for the top level of the file.
    let path: String
    /// Whether a key could not be read, so that missing keys are not reported.
    let isPartial: Bool
    private(set) var hasUnknownKeys = false
    private let file: FileShape
    private let isItem: Bool
    /// A key has two entries only if the config's `defaults` add one to the campaign's own.
    private let entries: [String: [YAMLNode.Entry]]
    /// Keys that are not reported as missing, because a misspelt key was probably meant to be one
    /// of them.
    private let meant: Set<String>

    /// Returns nil after reporting a root that is not a mapping.
    init?(_ root: YAMLNode, of file: FileShape, findings: Findings) {
        let kind = file.name == FileShape.campaign.name ? root.entry(at: "kind") : nil
        self.init(
            root, file.root, of: file,
            kind: kind?.value.scalarText.flatMap(CampaignKind.init(rawValue:)), findings: findings)
    }

    /// Returns nil after reporting a node that is not a mapping.
    ///
    /// - Parameter keyRange: nil if the mapping has no key; findings then mark its start.
    init?(
        _ node: YAMLNode, _ shape: MappingShape, of file: FileShape, path: String = "",
        keyRange: SourceRange? = nil, key: KeyShape? = nil, kind: CampaignKind? = nil,
        findings: Findings
    ) {
        isItem = keyRange == nil && !path.isEmpty
        let keyRange = keyRange ?? SourceRange(start: node.range.start, end: node.range.start)
        guard
            let found = Self.entries(
                of: node, path: path, keyRange: keyRange, known: shape.names, described: key,
                kind: kind, findings: findings)
        else { return nil }
        let lost = Unindented(found, under: path, in: shape)
        lost.report(to: findings)
        var entries: [String: [YAMLNode.Entry]] = [:]
        var meant: Set<String> = []
        for (number, entry) in found.enumerated() {
            guard case .scalar(let key) = entry.key.content, !entry.key.isPlaceholder else {
                continue
            }
            guard shape.names.contains(key.text) else {
                guard !lost.children.contains(number) else { continue }
                let unknown = UnknownKey(entry, under: path, in: shape, of: file, kind: kind)
                unknown.report(to: findings)
                hasUnknownKeys = true
                if let key = unknown.meant { meant.insert(key) }
                continue
            }
            if let kind, !shape.has(key.text, for: kind) {
                findings.error(
                    .keyNotForKind, at: entry.key.range,
                    "A campaign of kind \(kind.rawValue) has no key \"\(path.isEmpty ? "" : path + ".")\(key.text)\".",
                    help: kind.help(for: key.text))
                continue
            }
            // The key itself has an error, so its value is not reported as well.
            let value =
                lost.parents.contains(number)
                ? YAMLNode(entry.value.content, range: entry.value.range, isPlaceholder: true)
                : entry.value
            entries[key.text, default: []].append(YAMLNode.Entry(key: entry.key, value: value))
        }
        self.findings = findings
        self.keyRange = keyRange
        self.kind = kind
        self.file = file
        self.shape = shape
        self.path = path
        self.entries = entries
        self.meant = meant
        isPartial = node.isPlaceholder
        require(shape.names(requiredBy: kind))
        for relation in shape.relations { check(relation) }
    }

    private static func entries(
        of node: YAMLNode, path: String, keyRange: SourceRange, known: [String],
        described: KeyShape?, kind: CampaignKind?, findings: Findings
    ) -> [YAMLNode.Entry]? {
        if case .mapping(let entries) = node.content { return entries }
        let subject = path.isEmpty ? "The file" : "\"\(path)\""
        if findings.reportsEmpty(node, subject, keyRange: keyRange, described, under: path) {
            return nil
        }
        if let key = tightKey(of: node, among: known) {
            findings.reportWrongType(
                node, "\(subject) must contain keys with values.",
                help: "Write \"\(key): …\", with a space after the colon.", keyRange: keyRange)
            return nil
        }
        if findings.reportsBroadcast(node, under: path, keyRange: keyRange) { return nil }
        let form = described?.rewritten(node, under: path, kind: kind)
        let advice = form.map { "; write \($0)" as DiagnosticMessage } ?? ""
        findings.reportWrongType(
            node, "\(subject) must contain keys with values\(advice).",
            help: path.isEmpty
                ? help(forFile: node)
                : form == nil ? described.map { "Write: \($0.line)" } : nil,
            keyRange: keyRange)
        return nil
    }

    /// The key at the beginning of text such as `message:Hello`.
    private static func tightKey(of node: YAMLNode, among known: [String]) -> String? {
        guard case .scalar(let scalar) = node.content, scalar.style == .plain else { return nil }
        return known.first { scalar.text.hasPrefix($0 + ":") }
    }

    private static func help(forFile node: YAMLNode) -> DiagnosticMessage {
        guard case .scalar(let scalar) = node.content else {
            return "Remove the leading hyphen or the [ ]; keys are not a list."
        }
        return scalar.text.contains("：")
            ? "The file uses full-width colons; write \"key: value\", with an ordinary colon and a space."
            : "Write \"key: value\", with a colon and a space."
    }

    // MARK: Keys

    subscript(key: String) -> YAMLNode? { entries[key]?.first?.value }

    func has(_ key: String) -> Bool { entries[key] != nil }

    /// Whether an unknown key was probably meant to be this key.
    func isMeant(_ key: String) -> Bool { meant.contains(key) }

    /// The range of the key or, if the key is missing, of the mapping's own key.
    func range(ofKey key: String) -> SourceRange { entries[key]?.first?.key.range ?? keyRange }

    /// The full name of a key, such as `payload.file`.
    func name(of key: String) -> String { path.isEmpty ? key : path + "." + key }

    func line(_ key: String) -> String? { shape[key]?.line }

    /// A line with the key and an example, and where to write it.
    func remedy(_ key: String) -> DiagnosticMessage? {
        line(key).map { "Write\(path.isEmpty || isItem ? "" : " under \"\(path)\""): \($0)" }
    }

    /// The line to write at the top level of the file for the key at a path.
    func line(atTop path: String) -> DiagnosticMessage? { file.line(for: path) }

    /// The line with its value corrected; nil if that is not possible.
    func fitted(_ key: String) -> DiagnosticMessage? {
        self[key].flatMap { shape[key]?.fitted($0, under: path) }
    }

    func described(_ key: String) -> ValueShape {
        guard let described = shape[key] else {
            preconditionFailure("\(file.name): \(name(of: key)) is not described.")
        }
        return described.value
    }

    // MARK: Mappings and lists

    func mapping(_ key: String) -> MappingReader? {
        entries[key]?.first.flatMap { mapping($0.value, of: key, keyRange: $0.key.range) }
    }

    /// The file's own mapping, and the one that the config's `defaults` add.
    func mappings(_ key: String) -> [MappingReader] {
        (entries[key] ?? []).compactMap { mapping($0.value, of: key, keyRange: $0.key.range) }
    }

    /// - Parameter keyRange: the range that findings about missing keys mark; nil means the item's
    /// start.
    func mapping(
        _ node: YAMLNode, of key: String, keyRange: SourceRange? = nil
    ) -> MappingReader? {
        described(key).keyed.flatMap {
            MappingReader(
                node, $0, of: file, path: name(of: key), keyRange: keyRange, key: shape[key],
                kind: kind, findings: findings)
        }
    }

    /// Returns nil if the key is missing, or after reporting that the list has too few or too many
    /// items.
    func list(_ key: String) -> Located<[YAMLNode]>? {
        guard let node = self[key] else { return nil }
        let subject = "\"\(name(of: key))\""
        let range = range(ofKey: key)
        if case .sequence(let items) = node.content {
            let bounds = described(key).bounds
            guard items.count >= bounds.atLeast else {
                findings.error(
                    .emptyValue, at: node.range, "\(subject) is an empty list.", help: remedy(key))
                return nil
            }
            guard items.count <= bounds.atMost ?? .max else {
                findings.error(
                    .tooLarge, at: range, "\(subject) has more than \(bounds.atMost ?? 0) items.")
                return nil
            }
            return Located(items, at: node.range)
        }
        if findings.reportsEmpty(node, subject, keyRange: range, shape[key], under: path) {
            return nil
        }
        if findings.reportsBroadcast(node, under: name(of: key), keyRange: range) { return nil }
        let form = shape[key]?.rewritten(node, under: path, kind: kind)
        let advice = form.map { "; write \($0)" as DiagnosticMessage } ?? ""
        findings.reportWrongType(
            node, "\(subject) must be a list\(advice).",
            help: form == nil ? line(key).map { "Write: \($0)" } : nil, keyRange: range)
        return nil
    }

    /// nil after reporting an item that is not text.
    func item(_ node: YAMLNode, of key: String) -> Located<YAMLScalar>? {
        if findings.reportsFoldedItems(node) { return nil }
        return text(node, "An item of \"\(name(of: key))\"", keyRange: node.range)
    }

    /// Reads each node of a list with a function that returns nil after reporting why it cannot.
    func elements<Element>(_ key: String, _ read: (YAMLNode) -> Element?) -> Items<Element> {
        guard let list = list(key) else {
            return Items(elements: [], isComplete: !has(key) && !isMeant(key))
        }
        let elements = list.value.compactMap(read)
        return Items(
            elements: elements,
            isComplete: elements.count == list.value.count && self[key]?.isPlaceholder != true)
    }

    /// Reads each text of a list; reports repeated values in a list that is a set.
    func items<Value: Hashable & Sendable>(
        _ key: String, _ read: (Located<YAMLScalar>) -> Value?
    ) -> Items<Located<Value>> {
        var places: [Value: Located<YAMLScalar>] = [:]
        return elements(key) { node in
            guard let text = item(node, of: key), let value = read(text) else { return nil }
            if described(key).bounds.isSet,
                let first = places.updateValue(text, forKey: value)
            {
                reportTwice(text, first)
                return nil
            }
            return Located(value, at: text.range)
        }
    }

    private func reportTwice(_ text: Located<YAMLScalar>, _ first: Located<YAMLScalar>) {
        let what: DiagnosticMessage =
            text.value.text == first.value.text
            ? "\(quoted(text.value.text)) appears twice."
            : "\(quoted(text.value.text)) means the same as \(quoted(first.value.text)), which is already in the list."
        findings.error(
            .duplicateValue, at: text.range, what, related: ("It first appears here.", first.range))
    }
}

/// The valid items of a list.
struct Items<Element> {
    let elements: [Element]
    /// False if the list or an item could not be read, or if a misspelt key was probably meant to
    /// be this list.
    let isComplete: Bool

    /// Whether the list is certainly empty.
    var isEmpty: Bool { elements.isEmpty && isComplete }

    func values<Value>() -> [Value] where Element == Located<Value> { elements.map(\.value) }
}

struct Located<Value: Sendable>: Sendable {
    let value: Value
    let range: SourceRange

    init(_ value: Value, at range: SourceRange) {
        self.value = value
        self.range = range
    }

    func map<Other>(_ transform: (Value) -> Other) -> Located<Other> {
        Located<Other>(transform(value), at: range)
    }
}
