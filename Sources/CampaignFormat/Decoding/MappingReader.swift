import CampaignCore
import Files
import YAMLSyntax

/// Reads the keys of one mapping, each in the form that the file's description asks for.
///
/// Every reading gives nil where the file does not have the key, and after reporting what is wrong with its value.
struct MappingReader {
    /// Rewrites a value of the wrong shape in the right one, for the message about it.
    typealias Form = (YAMLNode) -> DiagnosticMessage?

    /// Where faults are reported.
    let findings: Findings
    /// The key that the mapping belongs to, for what is wrong with it as a whole.
    let keyRange: SourceRange
    private let file: FileShape
    private let shape: MappingShape
    /// Whether it is an item of a list.
    private let isItem: Bool
    /// The keys that lead here, such as `audience.exclude`; empty for the file itself.
    private let path: String
    /// By key; more than one only where the config's `defaults` add to the campaign's.
    private let entries: [String: [YAMLNode.Entry]]
    /// Keys that need not be reported as missing: an unknown one was probably meant to be it, and that is reported.
    private let meant: Set<String>
    /// Whether a key could not be read, so that nobody knows which ones are missing.
    private let isPartial: Bool

    /// Reads the top of a file, and reports keys that are unknown or missing.
    ///
    /// - Parameters:
    ///   - root: any node; one that is not a mapping is reported.
    ///   - file: what such a file may hold.
    ///   - findings: where faults go.
    init?(_ root: YAMLNode, of file: FileShape, findings: Findings) {
        self.init(root, file.root, of: file, findings: findings)
    }

    /// Reads a mapping, and reports keys that are unknown or missing.
    ///
    /// - Parameters:
    ///   - node: any node; one that is not a mapping is reported.
    ///   - shape: the keys that it may have.
    ///   - file: what it is a part of.
    ///   - path: the keys that lead to it.
    ///   - keyRange: where its key stands; nil: it has no key, and its own start is used.
    ///   - key: the description of its key, for the message; nil: it has no key.
    ///   - form: rewrites a value of another shape as keys with values, for the message.
    ///   - findings: where faults go; a node that is not a mapping is one.
    init?(
        _ node: YAMLNode, _ shape: MappingShape, of file: FileShape, path: String = "",
        keyRange: SourceRange? = nil, key: KeyShape? = nil, form: Form = { _ in nil },
        findings: Findings
    ) {
        isItem = keyRange == nil && !path.isEmpty
        let keyRange =
            keyRange ?? SourceRange(start: node.range.start, end: node.range.start)
        guard
            let found = Self.entries(
                of: node, path: path, keyRange: keyRange, known: shape.names, described: key,
                form: form, findings: findings)
        else { return nil }
        if path.isEmpty, file.name == FileShape.campaign.name {
            findings.kind = node.entry(at: "kind")?.value.scalarText
                .flatMap(CampaignKind.init(rawValue:))
        }
        let lost = Unindented(found, under: path, in: shape)
        lost.report(to: findings)
        var entries: [String: [YAMLNode.Entry]] = [:]
        var meant: Set<String> = []
        for (number, entry) in found.enumerated() {
            guard case .scalar(let key) = entry.key.content, !entry.key.isPlaceholder else {
                continue
            }
            if shape.names.contains(key.text) {
                // What it should have been is reported; nothing else is said about it.
                let isLost = lost.parents.contains(number)
                let value =
                    isLost
                    ? YAMLNode(entry.value.content, range: entry.value.range, isPlaceholder: true)
                    : entry.value
                entries[key.text, default: []].append(
                    YAMLNode.Entry(key: entry.key, value: value))
            } else if !lost.children.contains(number) {
                let unknown = UnknownKey(
                    entry, under: path, in: shape, of: file, kind: findings.kind)
                unknown.report(to: findings)
                if let key = unknown.meant { meant.insert(key) }
            }
        }
        self.findings = findings
        self.keyRange = keyRange
        self.file = file
        self.shape = shape
        self.path = path
        self.entries = entries
        self.meant = meant
        isPartial = node.isPlaceholder
        require(shape.required)
    }

    private static func entries(
        of node: YAMLNode, path: String, keyRange: SourceRange, known: [String],
        described: KeyShape?, form: Form, findings: Findings
    ) -> [YAMLNode.Entry]? {
        if case .mapping(let entries) = node.content { return entries }
        let subject = path.isEmpty ? "The file" : "\"\(path)\""
        if findings.reportsEmpty(node, subject, keyRange: keyRange, described, under: path) {
            return nil
        }
        if let key = tightKey(of: node, among: known) {
            findings.reportWrongType(
                node, "\(subject) must be keys with values.",
                help: "Write \"\(key): …\", with a space after the colon.", keyRange: keyRange)
            return nil
        }
        let key = path.split(separator: ".").last ?? ""
        let form = form(node)
        let advice = form.map { "; write \(key): \($0)" as DiagnosticMessage } ?? ""
        findings.reportWrongType(
            node, "\(subject) must be keys with values\(advice).",
            help: path.isEmpty
                ? help(forFile: node)
                : form == nil ? described.map { "Write: \($0.line)" } : nil,
            keyRange: keyRange)
        return nil
    }

    /// The key with which a text such as `message:Hello` begins.
    private static func tightKey(of node: YAMLNode, among known: [String]) -> String? {
        guard case .scalar(let scalar) = node.content, scalar.style == .plain else { return nil }
        return known.first { scalar.text.hasPrefix($0 + ":") }
    }

    /// How keys with values are written, for a file that has none.
    private static func help(forFile node: YAMLNode) -> DiagnosticMessage {
        guard case .scalar(let scalar) = node.content else {
            return "Remove the leading hyphen or the [ ]; keys are not a list."
        }
        return scalar.text.contains("：")
            ? "Its colons are full-width ones; write \"key: value\", with an ordinary colon and a space."
            : "Write \"key: value\", with a colon and a space."
    }

    // MARK: Keys

    /// The value of a key, nil where the file does not have it.
    subscript(key: String) -> YAMLNode? { entries[key]?.first?.value }

    func has(_ key: String) -> Bool { entries[key] != nil }

    /// Whether an unknown key was probably meant to be this one.
    func isMeant(_ key: String) -> Bool { meant.contains(key) }

    /// Where a key stands; the mapping's own key where it is missing.
    func range(ofKey key: String) -> SourceRange { entries[key]?.first?.key.range ?? keyRange }

    /// A key as a message names it, such as `payload.file`.
    func name(of key: String) -> String { path.isEmpty ? key : path + "." + key }

    /// Reports keys that must be there and are not, beyond those that always must.
    func require(_ keys: [String]) {
        guard !isPartial else { return }
        for key in keys where !has(key) && !meant.contains(key) {
            let place = path.isEmpty || isItem ? "" : " under \"\(path)\""
            findings.error(
                .missingKey, at: keyRange, "The key \"\(name(of: key))\" is missing.",
                help: line(key).map { "Write\(place): \($0)" })
        }
    }

    /// The key with a good value, as the file would have it.
    private func line(_ key: String) -> String? { shape[key]?.line }

    /// What the description says about a key that the file has.
    private func described(_ key: String) -> ValueShape {
        guard let described = shape[key] else {
            preconditionFailure("\(file.name): \(name(of: key)) is not described.")
        }
        return described.value
    }

    // MARK: Mappings and lists

    /// The mapping under a key.
    func mapping(_ key: String, form: Form = { _ in nil }) -> MappingReader? {
        entries[key]?.first.flatMap { mapping(of: $0, key, form: form) }
    }

    /// The mappings under a key: the file's own, and the one that the config's `defaults` add.
    func mappings(_ key: String, form: Form = { _ in nil }) -> [MappingReader] {
        (entries[key] ?? []).compactMap { mapping(of: $0, key, form: form) }
    }

    private func mapping(
        of entry: YAMLNode.Entry, _ key: String, form: Form
    ) -> MappingReader? {
        described(key).keyed.flatMap {
            MappingReader(
                entry.value, $0, of: file, path: name(of: key), keyRange: entry.key.range,
                key: shape[key], form: form, findings: findings)
        }
    }

    /// An item of the list under a key, as a mapping.
    ///
    /// - Parameters:
    ///   - node: the item; one that is not a mapping is reported.
    ///   - key: the list's key.
    ///   - keyRange: what is marked where a key is missing; nil: the item's start.
    ///   - form: rewrites an item of another shape as keys with values, for the message.
    func mapping(
        _ node: YAMLNode, of key: String, keyRange: SourceRange? = nil,
        form: Form = { _ in nil }
    ) -> MappingReader? {
        described(key).keyed.flatMap {
            MappingReader(
                node, $0, of: file, path: name(of: key), keyRange: keyRange,
                key: shape[key], form: form, findings: findings)
        }
    }

    /// The items of a list.
    func list(_ key: String, form: Form = { _ in nil }) -> Located<[YAMLNode]>? {
        guard let node = self[key] else { return nil }
        if case .sequence(let items) = node.content { return Located(items, at: node.range) }
        let subject = "\"\(name(of: key))\""
        let range = range(ofKey: key)
        if findings.reportsEmpty(node, subject, keyRange: range, shape[key], under: path) {
            return nil
        }
        let form = form(node)
        let advice = form.map { "; write \(key): \($0)" as DiagnosticMessage } ?? ""
        findings.reportWrongType(
            node, "\(subject) must be a list\(advice).",
            help: form == nil ? line(key).map { "Write: \($0)" } : nil, keyRange: range)
        return nil
    }

    /// Whether a list has no more items than its description allows; reports one that has.
    func isBounded(_ list: Located<[YAMLNode]>, _ key: String) -> Bool {
        guard case .list(_, let bounds) = described(key), let limit = bounds.atMost,
            list.value.count > limit
        else { return true }
        findings.error(
            .tooLarge, at: range(ofKey: key), "\"\(name(of: key))\" has more than \(limit) items.")
        return false
    }

    /// An item of the list under a key: a text of at least one character.
    func item(_ node: YAMLNode, of key: String) -> Located<YAMLScalar>? {
        if findings.reportsFoldedItems(node) { return nil }
        return text(node, "An item of \"\(name(of: key))\"", keyRange: node.range)
    }

    /// The texts in a list, each read on its own; empty after reporting that there is no list.
    ///
    /// - Parameters:
    ///   - key: the list's key; one with more items than its description allows is not read.
    ///   - form: rewrites a value of another shape as a list, for the message.
    ///   - read: makes something of an item; nil after reporting what is wrong with it.
    /// - Returns: what was made of the good items, in order.
    func items<Value>(
        _ key: String, form: Form = { _ in nil }, _ read: (Located<YAMLScalar>) -> Value?
    ) -> [Value] {
        guard let list = list(key, form: form), isBounded(list, key) else { return [] }
        return list.value.compactMap { item($0, of: key).flatMap(read) }
    }

    // MARK: Values

    /// A text of at least one character.
    func text(_ key: String) -> Located<YAMLScalar>? {
        self[key].flatMap {
            text($0, "\"\(name(of: key))\"", keyRange: range(ofKey: key), shape[key])
        }
    }

    /// The name of a column, as ``Blanks/column(_:)`` compares it.
    func column(_ key: String) -> Located<String>? {
        guard let column = text(key)?.map({ Blanks.column($0.text) }) else { return nil }
        guard column.value.isEmpty else { return column }
        findings.error(.emptyValue, at: column.range, "\"\(name(of: key))\" has only blanks.")
        return nil
    }

    /// What YAML would take for a number or a boolean is the text as it is written.
    func text(
        _ node: YAMLNode, _ subject: String, keyRange: SourceRange, _ key: KeyShape? = nil
    ) -> Located<YAMLScalar>? {
        guard case .scalar(let scalar) = node.content else {
            let isList = if case .sequence = node.content { true } else { false }
            let help: DiagnosticMessage? = key.map { "Write: \($0.line)" }
            findings.reportWrongType(
                node, "\(subject) must be a text.",
                help: isList
                    ? "Write one value, without the [ ] or - of a list\(key.map { ": \($0.line)" } ?? ".")"
                    : help,
                keyRange: keyRange)
            return nil
        }
        if findings.reportsEmpty(node, subject, keyRange: keyRange, key, under: path) {
            return nil
        }
        guard !scalar.text.isEmpty else {
            findings.error(.emptyValue, at: node.range, "\(subject) is an empty text.")
            return nil
        }
        return node.isPlaceholder ? nil : Located(scalar, at: node.range)
    }

    /// A path, seen from the current folder.
    ///
    /// - Parameters:
    ///   - key: its key.
    ///   - folder: what a relative path starts from.
    func path(_ key: String, in folder: String) -> String? {
        guard let located = text(key) else { return nil }
        let text = located.value.text
        guard !text.hasPrefix("~"), !text.hasPrefix("$") else {
            findings.error(
                .wrongType, at: located.range,
                "Nothing replaces ~ and $ in \"\(name(of: key))\", so that this is no path.",
                help: "Write the whole path, or one from the folder of this file.")
            return nil
        }
        return Path.isAbsolute(text) ? text : Path.file(text, in: folder)
    }

    /// `true` or `false`.
    func boolean(_ key: String) -> Located<Bool>? {
        guard let text = plain(key) else { return nil }
        switch text.value {
        case "true": return Located(true, at: text.range)
        case "false": return Located(false, at: text.range)
        default:
            findings.error(
                .wrongType, at: text.range, "\"\(name(of: key))\" must be true or false.",
                help: "Write it without quotes, in lower case: \(key): true")
            return nil
        }
    }

    /// A whole number within the bounds of its description.
    func integer(_ key: String) -> Located<Int>? {
        guard let text = plain(key) else { return nil }
        let digits = text.value.utf8
        let isNumber = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber || (text.value.hasPrefix("-") && Int(text.value) != nil) else {
            findings.error(
                .wrongType, at: text.range, "\"\(name(of: key))\" must be a whole number.",
                help:
                    "Write only digits, without quotes or separators\(line(key).map { ": \($0)" } ?? ".")"
            )
            return nil
        }
        guard case .integer(let bounds) = described(key) else {
            preconditionFailure("\(name(of: key)) is not described as a whole number.")
        }
        guard let number = Int(text.value), bounds.contains(number) else {
            let range = "from \(bounds.lowerBound) to \(bounds.upperBound)"
            let what = bounds.count == 1 ? "\(bounds.lowerBound)" : range
            findings.error(
                .outOfRange, at: text.range, "\"\(name(of: key))\" must be \(what).")
            return nil
        }
        return Located(number, at: text.range)
    }

    /// One of the words that an enumeration has.
    func choice<Value>(_ key: String, as type: Value.Type = Value.self) -> Located<Value>?
    where Value: RawRepresentable<String> & CaseIterable & Sendable {
        text(key).flatMap { choice($0, of: key, as: type) }
    }

    /// One of these words, as an item of the list under a key.
    func choice<Value>(
        _ node: YAMLNode, of key: String, as type: Value.Type = Value.self
    ) -> Located<Value>? where Value: RawRepresentable<String> & CaseIterable & Sendable {
        item(node, of: key).flatMap { choice($0, of: key, as: type) }
    }

    private func choice<Value>(
        _ text: Located<YAMLScalar>, of key: String, as _: Value.Type
    ) -> Located<Value>? where Value: RawRepresentable<String> & CaseIterable & Sendable {
        guard let value = Value(rawValue: text.value.text) else {
            findings.error(
                .unknownValue, at: text.range,
                "\(quoted(text.value.text)) is not a value of \"\(name(of: key))\".",
                help: NearestName.help(
                    for: text.value.text, among: Value.allCases.map(\.rawValue)))
            return nil
        }
        return Located(value, at: text.range)
    }

    /// A text in a small form of its own, such as `500/s`.
    ///
    /// - Parameters:
    ///   - key: its key, whose description says what is wrong with another text.
    ///   - parse: reads the form; nil for a text that does not have it.
    func value<Value: Sendable>(
        _ key: String, _ parse: (String) -> Value?
    ) -> Located<Value>? {
        guard let text = text(key) else { return nil }
        guard let value = parse(text.value.text) else {
            let fault = described(key).reading
            let noun = fault.namesKey ? "\(fault.noun) for \"\(name(of: key))\"" : fault.noun
            findings.error(
                fault.rule, at: text.range, "\(quoted(text.value.text)) is not \(noun).",
                help: fault.help)
            return nil
        }
        return Located(value, at: text.range)
    }

    /// A bad value as a message repeats it; under keys that are about people it may be somebody's name.
    private func quoted(_ text: String) -> DiagnosticMessage {
        PeopleLines.areNamed(under: path)
            ? "\"\(audience: text.shortened)\"" : "\"\(text.shortened)\""
    }

    /// A length of time.
    ///
    /// - Parameters:
    ///   - key: its key, whose description has the longest time.
    ///   - help: what to do about a longer one.
    func duration(_ key: String, tooLong help: DiagnosticMessage? = nil) -> Located<Duration>? {
        guard let duration = value(key, DurationText.parse) else { return nil }
        guard case .duration(let longest) = described(key), duration.value > longest else {
            return duration
        }
        findings.error(
            .outOfRange, at: duration.range,
            "\"\(name(of: key))\" must be at most \(DurationText.text(of: longest)).", help: help)
        return nil
    }

    /// A plain scalar's text.
    private func plain(_ key: String) -> Located<String>? {
        // Quoted it is a text (YAML 1.2, section 10.3); with its quotes no reader takes it for anything else.
        text(key)?.map { $0.style == .plain ? $0.text : "\"\($0.text)\"" }
    }
}

/// A value and where it stands, so that a rule about it points there.
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

extension Findings {
    /// A text as a username; nil after reporting what is wrong with it.
    func username(_ text: Located<YAMLScalar>) -> Username? {
        do throws(UsernameFault) {
            return try Username(text.value.text)
        } catch {
            self.error(
                .invalidUsername, at: text.range, .invalidUsername(text.value.text, error),
                help: .helpForUsername(text.value.text))
            return nil
        }
    }

    /// Reports a value that is not there; false where there is one.
    ///
    /// - Parameters:
    ///   - key: the description of its key; nil: none is known.
    ///   - path: the keys that lead to it. Of an exclusion no help says to delete it, which would send to these people.
    fileprivate func reportsEmpty(
        _ node: YAMLNode, _ subject: String, keyRange: SourceRange, _ key: KeyShape?,
        under path: String
    ) -> Bool {
        guard !node.isPlaceholder else { return true }
        guard case .scalar(let scalar) = node.content, scalar.style == .plain,
            ["", "~", "null"].contains(scalar.text)
        else { return false }
        if scalar.text.isEmpty, let comment = source.comment(after: node.range) {
            error(
                .emptyValue, at: comment, "\(subject) has no value: a # begins a comment.",
                help: "Put a text that begins with # in quotes: \"#…\".")
            return true
        }
        let isKept = key?.isRequired == true || KeySynonyms.isExclusion(path)
        error(
            .emptyValue, at: scalar.text.isEmpty ? keyRange : node.range,
            "\(subject) has no value.",
            help: key.map { "Write: \($0.line)\(isKept ? "" : "; or delete the key.")" }
                ?? (isKept ? "Give it one." : "Give it one, or delete it."))
        return true
    }

    /// Reports an item of a list that took the next lines into its text, because these are indented deeper.
    fileprivate func reportsFoldedItems(_ node: YAMLNode) -> Bool {
        guard case .scalar(let scalar) = node.content, scalar.style == .plain,
            let next = source.secondLine(of: node.range)
        else { return false }
        error(
            .indentation, at: next,
            "This line is indented deeper than the item above it, so that both are one text.",
            help: "Start every item with \"- \" in the same column.",
            related: ("The item above starts here.", node.range))
        return true
    }

    fileprivate func reportWrongType(
        _ node: YAMLNode, _ message: DiagnosticMessage, help: DiagnosticMessage? = nil,
        keyRange: SourceRange
    ) {
        guard !node.isPlaceholder else { return }
        // A collection is marked at its key: its own range may span half of the file.
        let isScalar = if case .scalar = node.content { true } else { false }
        error(.wrongType, at: isScalar ? node.range : keyRange, message, help: help)
    }
}
