import CampaignCore
import Files
import YAMLSyntax

/// Reads the keys of one mapping, each in the form that its key asks for.
///
/// Every reading gives nil where the file does not have the key, and after reporting what is wrong with its value.
struct MappingReader {
    /// Rewrites a value of the wrong shape in the right one, for the message about it.
    typealias Form = (YAMLNode) -> DiagnosticMessage?

    /// Where faults are reported.
    let findings: Findings
    /// The key that the mapping belongs to, for what is wrong with it as a whole.
    let keyRange: SourceRange
    /// The keys that lead here, such as `audience.exclude`; empty for the file itself.
    private let path: String
    private let entries: [String: YAMLNode.Entry]

    /// Reads the entries of a mapping and reports unknown keys.
    ///
    /// - Parameters:
    ///   - node: any node; one that is not a mapping is reported.
    ///   - path: the keys that lead to it.
    ///   - keyRange: where its key stands; nil: it has no key, and its own start is used.
    ///   - known: the keys that it may have.
    ///   - form: rewrites a value of another shape as keys with values, for the message.
    ///   - findings: where faults go; a node that is not a mapping is one.
    init?(
        _ node: YAMLNode, path: String = "", keyRange: SourceRange? = nil, known: [String],
        form: Form = { _ in nil }, findings: Findings
    ) {
        let keyRange =
            keyRange ?? SourceRange(start: node.range.start, end: node.range.start)
        guard
            let found = Self.entries(
                of: node, path: path, keyRange: keyRange, form: form, findings: findings)
        else { return nil }
        var entries: [String: YAMLNode.Entry] = [:]
        for entry in found {
            guard case .scalar(let key) = entry.key.content, !entry.key.isPlaceholder else {
                continue
            }
            guard known.contains(key.text) else {
                Self.reportUnknown(
                    key.text, at: entry.key.range, in: path, known: known, findings: findings)
                continue
            }
            if entries[key.text] == nil { entries[key.text] = entry }
        }
        self.findings = findings
        self.keyRange = keyRange
        self.path = path
        self.entries = entries
    }

    private static func entries(
        of node: YAMLNode, path: String, keyRange: SourceRange, form: Form, findings: Findings
    ) -> [YAMLNode.Entry]? {
        if case .mapping(let entries) = node.content { return entries }
        let subject = path.isEmpty ? "The file" : "\"\(path)\""
        if findings.reportsEmpty(node, subject, keyRange: keyRange) { return nil }
        let key = path.split(separator: ".").last ?? ""
        let advice = form(node).map { "; write \(key): \($0)" as DiagnosticMessage } ?? ""
        findings.reportWrongType(
            node, "\(subject) must be keys with values\(advice).", keyRange: keyRange)
        return nil
    }

    // MARK: Keys

    /// The value of a key, nil where the file does not have it.
    subscript(key: String) -> YAMLNode? { entries[key]?.value }

    func has(_ key: String) -> Bool { entries[key] != nil }

    /// Where a key stands; the mapping's own key where it is missing.
    func range(ofKey key: String) -> SourceRange { entries[key]?.key.range ?? keyRange }

    /// A key as a message names it, such as `payload.file`.
    func name(of key: String) -> String { path.isEmpty ? key : path + "." + key }

    /// Reports keys that must be there and are not.
    func require(_ keys: [String]) {
        for key in keys where !has(key) {
            findings.error(
                .missingKey, at: keyRange, "The key \"\(name(of: key))\" is missing.")
        }
    }

    /// Warns of a key of the contract that is not implemented yet, if the file has it.
    func warnOfUnsupported(_ key: String) {
        if has(key) { findings.warnOfUnsupported(name(of: key), at: range(ofKey: key)) }
    }

    private static func reportUnknown(
        _ key: String, at range: SourceRange, in path: String, known: [String],
        findings: Findings
    ) {
        let place = path.isEmpty ? "" : " in \"\(path)\""
        findings.error(
            .unknownKey, at: range, "There is no key \"\(key.shortened)\"\(place).",
            help: help(for: key, in: path, known: known))
    }

    private static func help(for key: String, in path: String, known: [String]) -> String {
        let elsewhere = CampaignKeys.sections(with: key).filter { $0 != path }
        guard NearestName.nearest(to: key, among: known) == nil, let section = elsewhere.first
        else { return NearestName.help(for: key, among: known) }
        return section.isEmpty
            ? "It belongs at the top of the file." : "It belongs under \"\(section)\"."
    }

    // MARK: Mappings and lists

    /// The mapping under a key.
    func mapping(
        _ key: String, known: [String], form: Form = { _ in nil }
    ) -> MappingReader? {
        self[key].flatMap {
            MappingReader(
                $0, path: name(of: key), keyRange: range(ofKey: key), known: known, form: form,
                findings: findings)
        }
    }

    /// The items of a list.
    func list(_ key: String, form: Form = { _ in nil }) -> Located<[YAMLNode]>? {
        guard let node = self[key] else { return nil }
        if case .sequence(let items) = node.content { return Located(items, at: node.range) }
        let subject = "\"\(name(of: key))\""
        let range = range(ofKey: key)
        if findings.reportsEmpty(node, subject, keyRange: range) { return nil }
        let form = form(node)
        let advice = form.map { "; write \(key): \($0)" as DiagnosticMessage } ?? ""
        findings.reportWrongType(
            node, "\(subject) must be a list\(advice).",
            help: form == nil ? "Write [first, second]." : nil, keyRange: range)
        return nil
    }

    /// Whether a list has no more items than a file of its kind needs; reports one that has.
    func isBounded(_ list: Located<[YAMLNode]>, _ key: String, atMost limit: Int) -> Bool {
        guard list.value.count > limit else { return true }
        findings.error(
            .tooLarge, at: range(ofKey: key), "\"\(name(of: key))\" has more than \(limit) items.")
        return false
    }

    /// An item of the list under a key: a text of at least one character.
    func item(_ node: YAMLNode, of key: String) -> Located<YAMLScalar>? {
        text(node, "An item of \"\(name(of: key))\"", keyRange: node.range)
    }

    /// The texts in a list, each read on its own; empty after reporting that there is no list.
    ///
    /// - Parameters:
    ///   - key: the list's key.
    ///   - limit: a list of more items is reported and not read; nil: it may have any number.
    ///   - form: rewrites a value of another shape as a list, for the message.
    ///   - read: makes something of an item; nil after reporting what is wrong with it.
    /// - Returns: what was made of the good items, in order.
    func items<Value>(
        _ key: String, atMost limit: Int? = nil, form: Form = { _ in nil },
        _ read: (Located<YAMLScalar>) -> Value?
    ) -> [Value] {
        guard let list = list(key, form: form),
            limit.map({ isBounded(list, key, atMost: $0) }) != false
        else { return [] }
        return list.value.compactMap { item($0, of: key).flatMap(read) }
    }

    // MARK: Values

    /// A text of at least one character.
    func text(_ key: String) -> Located<YAMLScalar>? {
        self[key].flatMap { text($0, "\"\(name(of: key))\"", keyRange: range(ofKey: key)) }
    }

    /// What YAML would take for a number or a boolean is the text as it is written.
    func text(
        _ node: YAMLNode, _ subject: String, keyRange: SourceRange
    ) -> Located<YAMLScalar>? {
        guard case .scalar(let scalar) = node.content else {
            let isList = if case .sequence = node.content { true } else { false }
            findings.reportWrongType(
                node, "\(subject) must be a text.",
                help: isList ? "Write one value, without the [ ] or - of a list." : nil,
                keyRange: keyRange)
            return nil
        }
        if findings.reportsEmpty(node, subject, keyRange: keyRange) { return nil }
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
        guard let text = text(key)?.value.text else { return nil }
        return text.hasPrefix("/") ? text : Path.file(text, in: folder)
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
                help: "Write it without quotes, in lower case.")
            return nil
        }
    }

    /// A whole number within bounds.
    func integer(_ key: String, in bounds: ClosedRange<Int>) -> Located<Int>? {
        guard let text = plain(key) else { return nil }
        let digits = text.value.utf8
        let isNumber = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber || (text.value.hasPrefix("-") && Int(text.value) != nil) else {
            findings.error(
                .wrongType, at: text.range, "\"\(name(of: key))\" must be a whole number.",
                help: "Write only digits, without quotes or separators.")
            return nil
        }
        guard let number = Int(text.value), bounds.contains(number) else {
            findings.error(
                .outOfRange, at: text.range,
                "\"\(name(of: key))\" must be from \(bounds.lowerBound) to \(bounds.upperBound).")
            return nil
        }
        return Located(number, at: text.range)
    }

    /// One of the words that an enumeration has.
    func choice<Value>(_ key: String, as _: Value.Type = Value.self) -> Located<Value>?
    where Value: RawRepresentable<String> & CaseIterable & Sendable {
        guard let text = text(key) else { return nil }
        guard let value = Value(rawValue: text.value.text) else {
            findings.error(
                .unknownValue, at: text.range,
                "\"\(text.value.text.shortened)\" is not a value of \"\(name(of: key))\".",
                help: NearestName.help(
                    for: text.value.text, among: Value.allCases.map(\.rawValue)))
            return nil
        }
        return Located(value, at: text.range)
    }

    /// A text in a small form of its own, such as `500/s`.
    ///
    /// - Parameters:
    ///   - key: its key.
    ///   - parse: reads the form; nil for a text that does not have it.
    ///   - rule: what is broken by such a text.
    ///   - noun: what the text should be, with its article.
    ///   - help: how to write it.
    func value<Value: Sendable>(
        _ key: String, _ parse: (String) -> Value?, else rule: DiagnosticRule,
        isNot noun: String, help: String
    ) -> Located<Value>? {
        guard let text = text(key) else { return nil }
        guard let value = parse(text.value.text) else {
            findings.error(
                rule, at: text.range, "\"\(text.value.text.shortened)\" is not \(noun).",
                help: help)
            return nil
        }
        return Located(value, at: text.range)
    }

    /// A length of time.
    func duration(_ key: String) -> Located<Duration>? {
        value(
            key, DurationText.parse, else: .invalidDuration,
            isNot: "a duration for \"\(name(of: key))\"",
            help:
                "Write a number from 1 with s, m, h or d, such as 30s, 15m, 2h or 7d; at most 366d."
        )
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
                .invalidUsername, at: text.range, .invalidUsername(text.value.text, error))
            return nil
        }
    }

    /// Reports a value that is not there; false where there is one.
    fileprivate func reportsEmpty(
        _ node: YAMLNode, _ subject: String, keyRange: SourceRange
    ) -> Bool {
        guard !node.isPlaceholder else { return true }
        guard case .scalar(let scalar) = node.content, scalar.style == .plain,
            ["", "~", "null"].contains(scalar.text)
        else { return false }
        if scalar.text.isEmpty, let comment = source.comment(after: node.range) {
            error(
                .emptyValue, at: comment, "\(subject) has no value: a # begins a comment.",
                help: "Give it one, or delete it; put a text that begins with # in quotes: \"#…\".")
            return true
        }
        error(
            .emptyValue, at: scalar.text.isEmpty ? keyRange : node.range,
            "\(subject) has no value.", help: "Give it one, or delete it.")
        return true
    }

    fileprivate func reportWrongType(
        _ node: YAMLNode, _ message: DiagnosticMessage, help: String? = nil,
        keyRange: SourceRange
    ) {
        guard !node.isPlaceholder else { return }
        // A collection is marked at its key: its own range may span half of the file.
        let isScalar = if case .scalar = node.content { true } else { false }
        error(.wrongType, at: isScalar ? node.range : keyRange, message, help: help)
    }
}
