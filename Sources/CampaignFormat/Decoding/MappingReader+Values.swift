import CampaignCore
import Files

extension MappingReader {
    /// Reads text of at least one character.
    func text(_ key: String) -> Located<YAMLScalar>? {
        self[key].flatMap {
            text($0, "\"\(name(of: key))\"", keyRange: range(ofKey: key), shape[key])
        }
    }

    /// Reads a column name, which ``Blanks/column(_:)`` normalizes.
    func column(_ key: String) -> Located<String>? {
        guard let column = text(key)?.map({ Blanks.column($0.text) }) else { return nil }
        guard column.value.isEmpty else { return column }
        findings.error(
            .emptyValue, at: column.range, "\"\(name(of: key))\" contains only whitespace.")
        return nil
    }

    /// Also accepts values that YAML reads as numbers or booleans, and returns them as written.
    func text(
        _ node: YAMLNode, _ subject: String, keyRange: SourceRange, _ key: KeyShape? = nil
    ) -> Located<YAMLScalar>? {
        guard case .scalar(let scalar) = node.content else {
            let isList = if case .sequence = node.content { true } else { false }
            let line: DiagnosticMessage? = key?.line(fitting: node, under: path)
            let example: DiagnosticMessage = line.map { ": \($0)" } ?? "."
            findings.reportWrongType(
                node, "\(subject) must be text.",
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
            findings.error(.emptyValue, at: node.range, "\(subject) is empty.")
            return nil
        }
        return node.isPlaceholder ? nil : Located(scalar, at: node.range)
    }

    /// Reads a path, and resolves a relative path against `folder`.
    func path(_ key: String, in folder: String) -> String? {
        guard let located = text(key) else { return nil }
        let text = located.value.text
        guard !text.hasPrefix("~"), !text.hasPrefix("$") else {
            findings.error(
                .wrongType, at: located.range,
                "\"\(name(of: key))\" begins with \(text.prefix(1)), which hubsend does not expand.",
                help: "Write the full path, or a path relative to this file's folder.")
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

    /// Reads a whole number within the bounds of its description.
    func integer(_ key: String) -> Located<Int>? {
        guard let text = plain(key) else { return nil }
        let digits = text.value.utf8
        let isNumber = digits.allSatisfy(\.isDigit)
        guard isNumber || (text.value.hasPrefix("-") && Int(text.value) != nil) else {
            let line: DiagnosticMessage = fitted(key) ?? "\(line(key) ?? key)"
            findings.error(
                .wrongType, at: text.range, "\"\(name(of: key))\" must be a whole number.",
                help: "Write only digits, without quotes or separators: \(line)")
            return nil
        }
        guard case .integer(let bounds) = described(key) else {
            preconditionFailure("\(name(of: key)) is not declared as a whole number.")
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
    where Value: RawRepresentable<String> & Sendable {
        text(key).flatMap { text in
            choice(text, of: key, as: type).map { Located($0, at: text.range) }
        }
    }

    func choices<Value>(_ key: String, as type: Value.Type = Value.self) -> Items<Located<Value>>
    where Value: RawRepresentable<String> & Hashable & Sendable {
        items(key) { choice($0, of: key, as: type) }
    }

    private func choice<Value>(
        _ text: Located<YAMLScalar>, of key: String, as _: Value.Type
    ) -> Value? where Value: RawRepresentable<String> {
        let words = described(key).words
        if words.contains(text.value.text), let value = Value(rawValue: text.value.text) {
            return value
        }
        findings.error(
            .unknownValue, at: text.range,
            "\(quoted(text.value.text)) is not a valid value for \"\(name(of: key))\".",
            help: NearestName.help(for: text.value.text, among: words))
        return nil
    }

    /// Reads text in a special format, such as `500/s`.
    func value<Value: Sendable>(
        _ key: String, _ parse: (String) -> Value?
    ) -> Located<Value>? {
        guard let text = text(key) else { return nil }
        guard let value = parse(text.value.text) else {
            let problem = described(key).reading
            if reportsCurlyQuote(in: text, problem.rule, key) { return nil }
            let noun = problem.namesKey ? "\(problem.noun) for \"\(name(of: key))\"" : problem.noun
            findings.error(
                problem.rule, at: text.range, "\(quoted(text.value.text)) is not \(noun).",
                help: problem.help)
            return nil
        }
        return Located(value, at: text.range)
    }

    /// Reports a word processor's quotes, which YAML reads as part of the text.
    func reportsCurlyQuote(
        in text: Located<YAMLScalar>, _ rule: Rule, _ key: String
    ) -> Bool {
        guard let quote = text.value.text.unicodeScalars.first(where: \.isCurlyQuote) else {
            return false
        }
        findings.error(
            rule, at: text.range,
            "\"\(name(of: key))\" contains a curly quote \(String(quote)); use straight quotes or none."
        )
        return true
    }

    /// Quotes text, and masks it under keys about people, where it may be somebody's name.
    func quoted(_ text: String) -> DiagnosticMessage {
        PeopleLines.areNamed(under: path)
            ? "\"\(audience: text.shortened)\"" : "\"\(text.shortened)\""
    }

    /// - Parameter help: shown if the duration is longer than the key allows.
    func duration(_ key: String, tooLong help: DiagnosticMessage? = nil) -> Located<Duration>? {
        guard let duration = value(key, DurationText.usual.parse) else { return nil }
        guard case .duration(let longest) = described(key), duration.value > longest else {
            return duration
        }
        findings.error(
            .outOfRange, at: duration.range,
            "\"\(name(of: key))\" must be at most \(Durations.written(longest)).", help: help)
        return nil
    }

    private func plain(_ key: String) -> Located<String>? {
        // A quoted value is text (YAML 1.2, section 10.3), so the quotes are added back to make
        // parsing fail.
        text(key)?.map { $0.style == .plain ? $0.text : "\"\($0.text)\"" }
    }
}

extension Findings {
    /// nil after reporting why the text is not a username.
    func username(_ text: Located<YAMLScalar>) -> Username? {
        do throws(UsernameError) {
            return try Username(text.value.text)
        } catch {
            self.error(
                .invalidUsername, at: text.range, .invalidUsername(text.value.text, error),
                help: .helpForUsername(text.value.text))
            return nil
        }
    }

    /// Under an exclusion, the help never says to delete the key, because the campaign would then
    /// be sent to these people.
    func reportsEmpty(
        _ node: YAMLNode, _ subject: String, keyRange: SourceRange, _ key: KeyShape?,
        under path: String
    ) -> Bool {
        guard !node.isPlaceholder else { return true }
        guard case .scalar(let scalar) = node.content, scalar.style == .plain,
            ["", "~", "null"].contains(scalar.text)
        else { return false }
        if scalar.text.isEmpty, let comment = source.comment(after: node.range) {
            error(
                .emptyValue, at: comment, "\(subject) has no value: a # starts a comment.",
                help: "Put text that begins with # in quotes: \"#…\".")
            return true
        }
        let isKept = key?.isRequired == true || KeySynonyms.isExclusion(path)
        error(
            .emptyValue, at: scalar.text.isEmpty ? keyRange : node.range,
            "\(subject) has no value.",
            help: key.map { "Write: \($0.line)\(isKept ? "" : "; or delete the key.")" }
                ?? (isKept ? "Give it a value." : "Give it a value, or delete it."))
        return true
    }

    /// Reports a word that means everybody where people must be listed.
    func reportsBroadcast(
        _ node: YAMLNode, under path: String, keyRange: SourceRange
    ) -> Bool {
        guard RightForm.isEverybody(node), path.split(separator: ".").contains("audience") else {
            return false
        }
        reportWrongType(
            node, "\"\(path)\" does not accept a word that means everybody.",
            help: "\(RightForm.noBroadcast)",
            keyRange: keyRange)
        return true
    }

    /// Reports an item that includes the next lines because they are indented deeper.
    func reportsFoldedItems(_ node: YAMLNode) -> Bool {
        guard case .scalar(let scalar) = node.content, scalar.style == .plain,
            let next = source.secondLine(of: node.range)
        else { return false }
        error(
            .indentation, at: next,
            "This line is indented deeper than the item above it, so YAML reads both lines as one value.",
            help: "Start every item with \"- \" in the same column.",
            related: ("The item above starts here.", node.range))
        return true
    }

    func reportWrongType(
        _ node: YAMLNode, _ message: DiagnosticMessage, help: DiagnosticMessage? = nil,
        keyRange: SourceRange
    ) {
        guard !node.isPlaceholder else { return }
        // For a collection, the key is marked, because the collection itself may span half of the
        // file.
        let isScalar = if case .scalar = node.content { true } else { false }
        error(.wrongType, at: isScalar ? node.range : keyRange, message, help: help)
    }
}
