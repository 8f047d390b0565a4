import CampaignCore

struct LocatedTemplate {
    struct Variable {
        let name: String
        let hasDefault: Bool
        let range: SourceRange
    }

    /// The template without parts that could not be read; an invalid variable has an empty name.
    let template: MessageTemplate
    /// The range of each `{{…}}`, in Unicode scalars.
    let variablePlaces: [Range<Int>]
    let faults: [MessageTemplateError]
    let scalar: Located<YAMLScalar>
    private let places: ScalarPlaces

    init(_ scalar: Located<YAMLScalar>, source: SourceText) {
        let reading = MessageTemplateReading(scalar.value.text)
        template = reading.template
        variablePlaces = reading.places
        faults = reading.errors
        self.scalar = scalar
        places = ScalarPlaces(
            of: YAMLNode(.scalar(scalar.value), range: scalar.range), in: source)
    }

    var range: SourceRange { scalar.range }

    /// The place of a part, given in Unicode scalars; the place of the whole text if the part's
    /// place is unknown.
    func range(of part: Range<Int>) -> SourceRange {
        let scalars = template.source.unicodeScalars
        let start = String(scalars.prefix(part.lowerBound)).utf8.count
        let length = String(scalars.dropFirst(part.lowerBound).prefix(part.count)).utf8.count
        return places.range(ofText: start..<(start + length))
    }

    func text(of part: Range<Int>) -> String {
        let scalars = template.source.unicodeScalars.dropFirst(part.lowerBound).prefix(part.count)
        return String(String.UnicodeScalarView(scalars))
    }

    /// Valid variables in order, including repeats.
    var uses: [(name: String, fallback: String?, place: Range<Int>)] {
        let variables = template.segments.compactMap { segment in
            if case .variable(let name, let fallback) = segment { (name, fallback) } else { nil }
        }
        return zip(variables, variablePlaces).compactMap { variable, place in
            variable.0.isEmpty ? nil : (variable.0, variable.1, place)
        }
    }

    var variables: [Variable] {
        uses.map {
            Variable(name: $0.name, hasDefault: $0.fallback != nil, range: range(of: $0.place))
        }
    }

    /// The text with each variable replaced by a letter, for rules about the fixed part.
    var sample: String {
        template.segments.map { segment in
            switch segment {
            case .literal(let text): text
            case .variable: "x"
            }
        }.joined()
    }
}

extension MappingReader {
    /// The maximum numbers of bytes and of variables in one text of the campaign file.
    private static let longestText = 64 << 10
    private static let mostVariables = 100
    /// Texts for people, in which a # is probably not meant as a comment.
    private static let prose = Set(TextKey.allCases.map(\.rawValue) + ["text"])

    /// Returns the template even if it has errors, so that its valid parts are checked.
    func template(_ key: String) -> LocatedTemplate? {
        guard let node = self[key], !reportsBareBraces(key) else { return nil }
        return template(node, of: key, keyRange: range(ofKey: key))
    }

    /// - Parameter key: the path from this mapping, such as `message.de`.
    func template(
        _ node: YAMLNode, of key: String, keyRange: SourceRange
    ) -> LocatedTemplate? {
        guard let scalar = text(node, "\"\(name(of: key))\"", keyRange: keyRange) else {
            return nil
        }
        guard !scalar.value.text.allSatisfy(\.isWhitespace) else {
            findings.error(
                .emptyValue, at: scalar.range, "\"\(name(of: key))\" contains only whitespace.")
            return nil
        }
        guard scalar.value.text.utf8.count <= Self.longestText else {
            findings.error(
                .tooLarge, at: keyRange,
                "\"\(name(of: key))\" has more than \(Self.longestText) bytes.",
                help: "Put long text into a file, and set \"file\" to its path.")
            return nil
        }
        let template = LocatedTemplate(scalar, source: findings.source)
        for problem in template.faults.prefix(Self.mostVariables) {
            findings.error(
                .invalidTemplate, at: template.range(of: problem.range),
                Self.message(for: problem.reason), help: Self.help(for: problem.reason))
        }
        guard template.template.variables.count <= Self.mostVariables else {
            findings.error(
                .outOfRange, at: keyRange,
                "\"\(name(of: key))\" has more than \(Self.mostVariables) variables.")
            return nil
        }
        let first = key.prefix { $0 != "." }
        if Self.prose.contains(String(first)) {
            checkAnchor(before: scalar)
            checkComment(after: scalar)
            // Text that devices fetch may be a web page.
            if first != "text" { checkEntities(in: template) }
        }
        return template
    }

    /// Reports `message: {first_name}`, which YAML reads as a mapping.
    func reportsBareBraces(_ key: String) -> Bool {
        guard let node = self[key], !node.isPlaceholder,
            case .mapping(let entries) = node.content,
            entries.count == 1, case .scalar(let column) = entries[0].key.content,
            case .scalar(let value) = entries[0].value.content, value.style == .plain,
            value.text.isEmpty, MessageTemplate.isColumn(column.text)
        else { return false }
        findings.error(
            .wrongType, at: node.range,
            "\"\(name(of: key))\" must be text, but YAML reads unquoted braces as keys.",
            help: "Write \"{{\(column.text)}}\", in quotes.")
        return true
    }

    /// Warns about HTML entities such as `&amp;`, which devices show literally.
    private func checkEntities(in template: LocatedTemplate) {
        let scalars = Array(template.template.source.unicodeScalars)
        for start in scalars.indices.filter({ scalars[$0] == "&" }).prefix(Self.mostVariables) {
            let name = scalars[(start + 1)...].prefix { scalar in
                scalar.isASCII
                    && (scalar == "#" || scalar.properties.isAlphabetic
                        || ("0"..."9").contains(scalar))
            }
            guard (2...10).contains(name.count), name.endIndex < scalars.count,
                scalars[name.endIndex] == ";"
            else { continue }
            let place = start..<(name.endIndex + 1)
            findings.warning(
                .lookAlikeVariable, at: template.range(of: place),
                "\"\(template.text(of: place))\" is an HTML entity, which is sent literally.",
                help: "Write the character itself.")
        }
    }

    /// Warns about text that was meant to begin with a word such as `&more`, which YAML removes as
    /// an anchor.
    private func checkAnchor(before text: Located<YAMLScalar>) {
        guard let range = findings.source.unusedAnchor(before: text.range) else { return }
        findings.warning(
            .cutText, at: range,
            "\"\(findings.source.text(in: range).shortened)\" is not part of the text: YAML reads it as an anchor.",
            help: "Put the whole text in quotes, or delete the anchor, which nothing refers to.")
    }

    /// Warns about unquoted text that ends before ` #1`; the # was probably not meant as a
    /// comment.
    private func checkComment(after text: Located<YAMLScalar>) {
        guard text.value.style == .plain, let range = findings.source.comment(after: text.range)
        else { return }
        let comment = findings.source.text(in: range)
        guard let next = comment.dropFirst().unicodeScalars.first,
            next.properties.isAlphabetic || ("0"..."9").contains(next)
        else { return }
        findings.warning(
            .cutText, at: range,
            "The text ends before \"\(comment.shortened)\": a # after a space starts a comment.",
            help:
                "Put the whole text in quotes; if you meant a comment, write a space after the #."
        )
    }

    private static func message(for reason: MessageTemplateError.Reason) -> DiagnosticMessage {
        switch reason {
        case .unclosed: "The variable that opens here with {{ is never closed with }}."
        case .emptyName: "The variable has no name."
        case .badName:
            "A variable's name consists of 1 to 64 letters, digits, spaces, dots, - and _."
        }
    }

    private static func help(for reason: MessageTemplateError.Reason) -> DiagnosticMessage {
        guard case .badName(let name) = reason else {
            return "Write {{column}} or {{column|default}}."
        }
        let meant = name.trimming { "\"'“”„‟‘’‚‛{}$%*<>=[]()#@! \n".contains($0) }
        let column = MessageTemplate.isColumn(meant) && meant != name ? meant : "column"
        return "Write {{\(column)}} or {{\(column)|default}}."
    }
}
