import CampaignCore
import YAMLSyntax

/// Reading nodes as what a key asks for; each returns nil after reporting what is wrong.
extension Findings {
    /// The entries of a mapping; `form` is what a value of another shape would be as one.
    mutating func mapping(
        _ node: YAMLNode, path: String, keyRange: SourceRange,
        form: (YAMLNode) -> DiagnosticMessage? = { _ in nil }
    ) -> [YAMLMapping.Entry]? {
        if case .mapping(let entries) = node.content { return entries }
        let subject = path.isEmpty ? "The file" : "\"\(path)\""
        if reportsEmpty(node, subject, keyRange: keyRange) { return nil }
        let key = path.split(separator: ".").last ?? ""
        let advice = form(node).map { "; write \(key): \($0)" as DiagnosticMessage } ?? ""
        wrongType(node, "\(subject) must be keys with values\(advice).", keyRange: keyRange)
        return nil
    }

    /// The items of a list; `form` is what a value of another shape would be as one.
    mutating func list(
        _ key: String, of reader: MappingReader,
        form: (YAMLNode) -> DiagnosticMessage? = { _ in nil }
    ) -> Located<[YAMLNode]>? {
        guard let node = reader[key] else { return nil }
        if case .sequence(let items) = node.content { return Located(items, at: node.range) }
        let subject = "\"\(reader.name(of: key))\""
        let range = reader.range(ofKey: key)
        if reportsEmpty(node, subject, keyRange: range) { return nil }
        let form = form(node)
        let advice = form.map { "; write \(key): \($0)" as DiagnosticMessage } ?? ""
        wrongType(
            node, "\(subject) must be a list\(advice).",
            help: form == nil ? "Write [first, second]." : nil, keyRange: range)
        return nil
    }

    /// A text under a key, of at least one character.
    mutating func text(_ key: String, of reader: MappingReader) -> Located<YAMLScalar>? {
        guard let node = reader[key] else { return nil }
        return text(
            node, "\"\(reader.name(of: key))\"", keyRange: reader.range(ofKey: key))
    }

    /// A text in the list under a key, of at least one character.
    mutating func item(_ node: YAMLNode, of name: String) -> Located<YAMLScalar>? {
        text(node, "An item of \"\(name)\"", keyRange: node.range)
    }

    /// What YAML would take for a number or a boolean is the text as it is written.
    private mutating func text(_ node: YAMLNode, _ subject: String, keyRange: SourceRange)
        -> Located<YAMLScalar>?
    {
        guard case .scalar(let scalar) = node.content else {
            let isList = if case .sequence = node.content { true } else { false }
            wrongType(
                node, "\(subject) must be a text.",
                help: isList ? "Write one value, without the [ ] or - of a list." : nil,
                keyRange: keyRange)
            return nil
        }
        if reportsEmpty(node, subject, keyRange: keyRange) { return nil }
        guard !scalar.text.isEmpty else {
            error(.emptyValue, at: node.range, "\(subject) is an empty text.")
            return nil
        }
        return node.isPlaceholder ? nil : Located(scalar, at: node.range)
    }

    /// `true` or `false`.
    mutating func boolean(_ key: String, of reader: MappingReader) -> Located<Bool>? {
        guard let text = plain(key, of: reader) else { return nil }
        switch text.value {
        case "true": return Located(true, at: text.range)
        case "false": return Located(false, at: text.range)
        default:
            error(
                .wrongType, at: text.range, "\"\(reader.name(of: key))\" must be true or false.",
                help: "Write it without quotes, in lower case.")
            return nil
        }
    }

    /// A whole number within bounds.
    mutating func integer(_ key: String, of reader: MappingReader, in bounds: ClosedRange<Int>)
        -> Located<Int>?
    {
        guard let text = plain(key, of: reader) else { return nil }
        let digits = text.value.utf8
        let isNumber = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard isNumber || (text.value.hasPrefix("-") && Int(text.value) != nil) else {
            error(
                .wrongType, at: text.range,
                "\"\(reader.name(of: key))\" must be a whole number.",
                help: "Write only digits, without quotes or separators.")
            return nil
        }
        guard let number = Int(text.value), bounds.contains(number) else {
            error(
                .outOfRange, at: text.range,
                "\"\(reader.name(of: key))\" must be from \(bounds.lowerBound) to \(bounds.upperBound)."
            )
            return nil
        }
        return Located(number, at: text.range)
    }

    /// One of a few words.
    mutating func choice(_ key: String, of reader: MappingReader, among words: [String])
        -> Located<String>?
    {
        guard let text = text(key, of: reader) else { return nil }
        guard words.contains(text.value.text) else {
            error(
                .unknownValue, at: text.range,
                "\"\(text.value.text.shortened)\" is no value of \"\(reader.name(of: key))\".",
                help: NearestName.help(for: text.value.text, among: words))
            return nil
        }
        return text.map(\.text)
    }

    /// A length of time.
    mutating func duration(_ key: String, of reader: MappingReader) -> Located<Duration>? {
        guard let text = text(key, of: reader) else { return nil }
        guard let duration = DurationText.parse(text.value.text) else {
            error(
                .invalidDuration, at: text.range,
                "\"\(text.value.text.shortened)\" is no duration for \"\(reader.name(of: key))\".",
                help:
                    "Write a number from 1 with s, m, h or d, such as 30s, 15m, 2h or 7d; at most 366d."
            )
            return nil
        }
        return Located(duration, at: text.range)
    }

    /// A plain scalar's text.
    private mutating func plain(_ key: String, of reader: MappingReader) -> Located<String>? {
        guard let text = text(key, of: reader) else { return nil }
        // Quoted it is a text (YAML 1.2, section 10.3); with its quotes no reader takes it for anything else.
        return text.map { $0.style == .plain ? $0.text : "\"\($0.text)\"" }
    }

    /// Reports a value that is not there.
    private mutating func reportsEmpty(
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

    private mutating func wrongType(
        _ node: YAMLNode, _ message: DiagnosticMessage, help: String? = nil,
        keyRange: SourceRange
    ) {
        guard !node.isPlaceholder else { return }
        // A collection is marked at its key: its own range may span half of the file.
        let isScalar = if case .scalar = node.content { true } else { false }
        error(.wrongType, at: isScalar ? node.range : keyRange, message, help: help)
    }
}

/// What is wrong with keys as such.
extension Findings {
    /// Reports a key that a mapping does not know.
    mutating func unknownKey(
        _ key: String, at range: SourceRange, in path: String, known: [String]
    ) {
        let place = path.isEmpty ? "" : " in \"\(path)\""
        error(
            .unknownKey, at: range, "There is no key \"\(key.shortened)\"\(place).",
            help: Self.help(for: key, in: path, known: known))
    }

    private static func help(for key: String, in path: String, known: [String]) -> String {
        let elsewhere = CampaignKeys.sections(with: key).filter { $0 != path }
        guard NearestName.nearest(to: key, among: known) == nil, let section = elsewhere.first
        else { return NearestName.help(for: key, among: known) }
        return section.isEmpty
            ? "It belongs at the top of the file." : "It belongs under \"\(section)\"."
    }

    /// Reports keys that must be there.
    mutating func require(_ keys: [String], of reader: MappingReader, root: SourceRange) {
        for key in keys where !reader.has(key) {
            error(
                .missingKey, at: reader.path.isEmpty ? root : reader.keyRange,
                "The key \"\(reader.name(of: key))\" is missing.")
        }
    }
}

/// Sentences about usernames.
enum UsernameText {
    /// What is wrong with a name; a very long one is not repeated.
    static func message(for text: String, fault: UsernameFault) -> DiagnosticMessage {
        if case .empty = fault { return "The username is empty." }
        guard text.unicodeScalars.count <= 2 * Username.maximumLength else {
            return "The username \(fault)."
        }
        return "The username \"\(audience: text)\" \(fault)."
    }
}
