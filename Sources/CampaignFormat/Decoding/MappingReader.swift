import CampaignCore
import Files
import YAMLSyntax

/// Reads the keys of one mapping, each in the form that the file's description asks for.
///
/// Readers return nil if there is no such key, and after reporting what is wrong with its value.
struct MappingReader {
    /// Rewrites a value of the wrong shape in the right one, for the message about it.
    typealias Form = (YAMLNode) -> DiagnosticMessage?

    let findings: Findings
    let keyRange: SourceRange
    private let file: FileShape
    private let shape: MappingShape
    private let isItem: Bool
    /// Such as `audience.exclude`; empty for the top of the file.
    private let path: String
    /// More than one only if the config's `defaults` add to the campaign's.
    private let entries: [String: [YAMLNode.Entry]]
    /// Not reported as missing: a misspelt key was probably meant to be one of them.
    private let meant: Set<String>
    /// A key could not be read, so missing keys are not reported.
    private let isPartial: Bool

    /// Reports keys that are unknown or missing, and a root that is not a mapping.
    init?(_ root: YAMLNode, of file: FileShape, findings: Findings) {
        self.init(root, file.root, of: file, findings: findings)
    }

    /// Reports keys that are unknown or missing, and a node that is not a mapping.
    ///
    /// - Parameter keyRange: nil if it has no key; then its own start is marked.
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
                // Its own error says what it should have been, so nothing else is reported.
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
        if findings.reportsBroadcast(node, under: path, keyRange: keyRange) { return nil }
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

    /// The key that a text such as `message:Hello` begins with.
    private static func tightKey(of node: YAMLNode, among known: [String]) -> String? {
        guard case .scalar(let scalar) = node.content, scalar.style == .plain else { return nil }
        return known.first { scalar.text.hasPrefix($0 + ":") }
    }

    private static func help(forFile node: YAMLNode) -> DiagnosticMessage {
        guard case .scalar(let scalar) = node.content else {
            return "Remove the leading hyphen or the [ ]; keys are not a list."
        }
        return scalar.text.contains("：")
            ? "Its colons are full-width ones; write \"key: value\", with an ordinary colon and a space."
            : "Write \"key: value\", with a colon and a space."
    }

    // MARK: Keys

    subscript(key: String) -> YAMLNode? { entries[key]?.first?.value }

    func has(_ key: String) -> Bool { entries[key] != nil }

    /// Whether an unknown key was probably meant to be this one.
    func isMeant(_ key: String) -> Bool { meant.contains(key) }

    /// The mapping's own key if this one is missing.
    func range(ofKey key: String) -> SourceRange { entries[key]?.first?.key.range ?? keyRange }

    /// Such as `payload.file`.
    func name(of key: String) -> String { path.isEmpty ? key : path + "." + key }

    /// For keys that are only required under a condition.
    func require(_ keys: [String]) {
        guard !isPartial else { return }
        for key in keys where !has(key) && !meant.contains(key) {
            let place = path.isEmpty || isItem ? "" : " under \"\(path)\""
            findings.error(
                .missingKey, at: keyRange, "The key \"\(name(of: key))\" is missing.",
                help: line(key).map { "Write\(place): \($0)" })
        }
    }

    private func line(_ key: String) -> String? { shape[key]?.line }

    /// The line with its own value put right; nil if it cannot be.
    private func fitted(_ key: String) -> DiagnosticMessage? {
        self[key].flatMap { shape[key]?.fitted($0, under: path) }
    }

    private func described(_ key: String) -> ValueShape {
        guard let described = shape[key] else {
            preconditionFailure("\(file.name): \(name(of: key)) is not described.")
        }
        return described.value
    }

    // MARK: Mappings and lists

    func mapping(_ key: String, form: Form = { _ in nil }) -> MappingReader? {
        entries[key]?.first.flatMap { mapping(of: $0, key, form: form) }
    }

    /// The file's own, and the one that the config's `defaults` add.
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

    /// - Parameter keyRange: marked if a key is missing; nil: the item's start.
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

    func list(_ key: String, form: Form = { _ in nil }) -> Located<[YAMLNode]>? {
        guard let node = self[key] else { return nil }
        if case .sequence(let items) = node.content { return Located(items, at: node.range) }
        let subject = "\"\(name(of: key))\""
        let range = range(ofKey: key)
        if findings.reportsEmpty(node, subject, keyRange: range, shape[key], under: path) {
            return nil
        }
        if findings.reportsBroadcast(node, under: name(of: key), keyRange: range) { return nil }
        let form = form(node)
        let advice = form.map { "; write \(key): \($0)" as DiagnosticMessage } ?? ""
        findings.reportWrongType(
            node, "\(subject) must be a list\(advice).",
            help: form == nil ? line(key).map { "Write: \($0)" } : nil, keyRange: range)
        return nil
    }

    /// Reports a list that is too long.
    func isBounded(_ list: Located<[YAMLNode]>, _ key: String) -> Bool {
        guard case .list(_, let bounds) = described(key), let limit = bounds.atMost,
            list.value.count > limit
        else { return true }
        findings.error(
            .tooLarge, at: range(ofKey: key), "\"\(name(of: key))\" has more than \(limit) items.")
        return false
    }

    func item(_ node: YAMLNode, of key: String) -> Located<YAMLScalar>? {
        if findings.reportsFoldedItems(node) { return nil }
        return text(node, "An item of \"\(name(of: key))\"", keyRange: node.range)
    }

    /// Reads each text of a list, and keeps the good ones; a list that is too long is not read.
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

    /// As ``Blanks/column(_:)`` compares it.
    func column(_ key: String) -> Located<String>? {
        guard let column = text(key)?.map({ Blanks.column($0.text) }) else { return nil }
        guard column.value.isEmpty else { return column }
        findings.error(.emptyValue, at: column.range, "\"\(name(of: key))\" has only blanks.")
        return nil
    }

    /// Takes what YAML reads as a number or boolean as it is written.
    func text(
        _ node: YAMLNode, _ subject: String, keyRange: SourceRange, _ key: KeyShape? = nil
    ) -> Located<YAMLScalar>? {
        guard case .scalar(let scalar) = node.content else {
            let isList = if case .sequence = node.content { true } else { false }
            let line: DiagnosticMessage? = key?.line(fitting: node, under: path)
            let example: DiagnosticMessage = line.map { ": \($0)" } ?? "."
            findings.reportWrongType(
                node, "\(subject) must be a text.",
                help: isList
                    ? "Write one value, without the [ ] or - of a list\(example)"
                    : line.map { "Write: \($0)" },
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

    /// Seen from the current folder; a relative path starts from `folder`.
    func path(_ key: String, in folder: String) -> String? {
        guard let located = text(key) else { return nil }
        let text = located.value.text
        guard !text.hasPrefix("~"), !text.hasPrefix("$") else {
            findings.error(
                .wrongType, at: located.range,
                "\"\(name(of: key))\" begins with \(text.prefix(1)), which hubsend does not replace.",
                help: "Write the whole path, or one from the folder of this file.")
            return nil
        }
        return Path.isAbsolute(text) ? text : Path.file(text, in: folder)
    }

    func boolean(_ key: String) -> Located<Bool>? {
        guard let text = plain(key) else { return nil }
        switch text.value {
        case "true": return Located(true, at: text.range)
        case "false": return Located(false, at: text.range)
        default:
            let form: DiagnosticMessage = fitted(key) ?? "true or false."
            findings.error(
                .wrongType, at: text.range, "\"\(name(of: key))\" must be true or false.",
                help: "Write it without quotes, in lower case: \(form)")
            return nil
        }
    }

    /// A whole number within the bounds of its description.
    func integer(_ key: String) -> Located<Int>? {
        guard let text = plain(key) else { return nil }
        let digits = text.value.utf8
        let isNumber = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber || (text.value.hasPrefix("-") && Int(text.value) != nil) else {
            let line: DiagnosticMessage = fitted(key) ?? "\(line(key) ?? key)"
            findings.error(
                .wrongType, at: text.range, "\"\(name(of: key))\" must be a whole number.",
                help: "Write only digits, without quotes or separators: \(line)")
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

    func choice<Value>(_ key: String, as type: Value.Type = Value.self) -> Located<Value>?
    where Value: RawRepresentable<String> & CaseIterable & Sendable {
        text(key).flatMap { choice($0, of: key, as: type) }
    }

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
    func value<Value: Sendable>(
        _ key: String, _ parse: (String) -> Value?
    ) -> Located<Value>? {
        guard let text = text(key) else { return nil }
        guard let value = parse(text.value.text) else {
            let fault = described(key).reading
            if reportsCurlyQuote(in: text, fault.rule, key) { return nil }
            let noun = fault.namesKey ? "\(fault.noun) for \"\(name(of: key))\"" : fault.noun
            findings.error(
                fault.rule, at: text.range, "\(quoted(text.value.text)) is not \(noun).",
                help: fault.help)
            return nil
        }
        return Located(value, at: text.range)
    }

    /// YAML takes quotes of a word processor for a part of the text.
    func reportsCurlyQuote(
        in text: Located<YAMLScalar>, _ rule: DiagnosticRule, _ key: String
    ) -> Bool {
        guard let quote = text.value.text.unicodeScalars.first(where: \.isCurlyQuote) else {
            return false
        }
        findings.error(
            rule, at: text.range,
            "\"\(name(of: key))\" has a curly quote \(String(quote)); type straight ones, or none.")
        return true
    }

    /// Masked under keys about people, where it may be somebody's name.
    private func quoted(_ text: String) -> DiagnosticMessage {
        PeopleLines.areNamed(under: path)
            ? "\"\(audience: text.shortened)\"" : "\"\(text.shortened)\""
    }

    /// - Parameter help: for a time over the longest one in the key's description.
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

    private func plain(_ key: String) -> Located<String>? {
        // A quoted value is a text (YAML 1.2, section 10.3); its quotes keep it from being parsed.
        text(key)?.map { $0.style == .plain ? $0.text : "\"\($0.text)\"" }
    }
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

extension Findings {
    /// nil after reporting why it is not one.
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

    /// Under an exclusion, no help says to delete the key: it would send to these people.
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

    /// Reports a word for everybody in place of people.
    fileprivate func reportsBroadcast(
        _ node: YAMLNode, under path: String, keyRange: SourceRange
    ) -> Bool {
        guard RightForm.isEverybody(node), path.split(separator: ".").contains("audience") else {
            return false
        }
        reportWrongType(
            node, "\"\(path)\" takes no word for everybody.", help: "\(RightForm.noBroadcast)",
            keyRange: keyRange)
        return true
    }

    /// Reports an item that swallowed the next lines because they are indented deeper.
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
