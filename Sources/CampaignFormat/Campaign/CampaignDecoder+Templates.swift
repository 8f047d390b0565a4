import CampaignCore
import YAMLSyntax

/// Texts with variables.
extension CampaignDecoder {
    /// The most bytes of a text in the campaign file, and the most variables in it.
    private static let longestText = 64 << 10
    private static let mostVariables = 100

    /// Reads a key's text as a template; one that is at fault too, so that its good parts are checked.
    mutating func template(_ key: String, of reader: MappingReader) -> LocatedTemplate? {
        guard !reportsBareBraces(key, of: reader), let scalar = findings.text(key, of: reader)
        else { return nil }
        guard !scalar.value.text.allSatisfy(\.isWhitespace) else {
            findings.error(
                .emptyValue, at: scalar.range, "\"\(reader.name(of: key))\" has only blanks.")
            return nil
        }
        guard scalar.value.text.utf8.count <= Self.longestText else {
            findings.error(
                .tooLarge, at: reader.range(ofKey: key),
                "\"\(reader.name(of: key))\" has more than \(Self.longestText) bytes.",
                help: "Put a long text into a file and name it with \"file\".")
            return nil
        }
        let template = LocatedTemplate(scalar, source: findings.source)
        for fault in template.faults.prefix(Self.mostVariables) {
            findings.error(
                .invalidTemplate, at: template.range(of: fault.range),
                Self.message(for: fault.reason), help: Self.help(for: fault.reason))
        }
        guard template.template.variables.count <= Self.mostVariables else {
            findings.error(
                .outOfRange, at: reader.range(ofKey: key),
                "\"\(reader.name(of: key))\" has more than \(Self.mostVariables) variables.")
            return nil
        }
        if key == "message" || key == "text" { checkComment(after: scalar) }
        return template
    }

    /// `message: {first_name}` is a mapping to YAML, and hardly to who wrote it.
    private mutating func reportsBareBraces(_ key: String, of reader: MappingReader) -> Bool {
        guard let node = reader[key], !node.isPlaceholder,
            case .mapping(let entries) = node.content,
            entries.count == 1, case .scalar(let name) = entries[0].key.content,
            case .scalar(let value) = entries[0].value.content, value.style == .plain,
            value.text.isEmpty, MessageTemplate.isName(name.text)
        else { return false }
        findings.error(
            .wrongType, at: node.range,
            "\"\(reader.name(of: key))\" must be a text, and YAML takes braces without quotes for keys.",
            help: "Write \"{{\(name.text)}}\", in quotes.")
        return true
    }

    /// A text without quotes ends before ` #1`; with a letter or digit behind the sign, that was hardly meant.
    private mutating func checkComment(after text: Located<YAMLScalar>) {
        guard text.value.style == .plain, let range = findings.source.comment(after: text.range)
        else { return }
        let comment = findings.source.text(in: range)
        guard let next = comment.dropFirst().unicodeScalars.first,
            next.properties.isAlphabetic || ("0"..."9").contains(next)
        else { return }
        findings.warning(
            .cutText, at: range,
            "The text ends before \"\(comment.shortened)\": a # behind a space begins a comment.",
            help:
                "Put the whole text in quotes; where a comment is meant, write a space behind the #."
        )
    }

    private static func message(for reason: MessageTemplateFault.Reason) -> DiagnosticMessage {
        switch reason {
        case .unclosed: "The variable that opens here with {{ is never closed with }}."
        case .emptyName: "The variable has no name."
        case .badName:
            "The variable's name is no column name: 1 to 64 letters, digits, dots, - and _."
        }
    }

    private static func help(for reason: MessageTemplateFault.Reason) -> String {
        guard case .badName(let name) = reason else {
            return "Write {{column}} or {{column|default}}."
        }
        let meant = name.trimming { "\"'“”„‟‘’‚‛{}$%*<>=[]()#@! \n".contains($0) }
        let column = MessageTemplate.isName(meant) && meant != name ? meant : "column"
        return "Write {{\(column)}} or {{\(column)|default}}."
    }

    /// Warns of what other tools would fill in and hubsend sends as it stands.
    mutating func checkLookAlikes(_ texts: [LocatedTemplate], audience: AudienceSection?) {
        let columns = AudienceColumns(audience?.origins.flatMap(\.columns) ?? [])
        for text in texts {
            for finding in LookAlikes(text, columns: columns).findings {
                let range = text.range(of: finding.place)
                let written = text.text(of: finding.place).shortened
                switch finding.kind {
                case .placeholder(let name):
                    findings.warning(
                        .lookAlikeVariable, at: range,
                        "\"\(written)\" is no variable here and is sent as it stands.",
                        help: Self.help(forPlaceholder: name, columns: columns))
                case .fallback(let name, let meant):
                    findings.warning(
                        .lookAlikeVariable, at: range,
                        "All that stands behind the | is sent as the default, quotes and other words too.",
                        help: "Write {{\(name)|\(meant.shortened)}}.")
                case .quotes:
                    findings.warning(
                        .lookAlikeVariable, at: range,
                        "These quotes are sent with the text; YAML's own are straight.",
                        help:
                            "Write straight quotes around the whole text, with these or without them."
                    )
                }
            }
        }
    }

    private static func help(forPlaceholder name: String?, columns: AudienceColumns) -> String {
        guard let name else { return "Write {{column}} or {{column|default}}." }
        if let column = columns.named(name) {
            return
                "The audience has the column \"\(column)\": write {{\(column)}} or {{\(column)|default}}."
        }
        return
            "Write {{\(name)}} or {{\(name)|default}}, with a column \"\(name)\" in the audience's files."
    }

    /// Checks that everybody has a value for every variable, as far as columns tell.
    mutating func checkVariables(
        _ variables: [LocatedTemplate.Variable], audience: AudienceSection?
    ) {
        guard let audience, !audience.isIncomplete, audience.hasPeople else { return }
        let columns = audience.origins.flatMap(\.columns).filter { $0 != CSVHeader.usernameColumn }
        var seen: Set<String> = [CSVHeader.usernameColumn]
        // A use without default counts more than one before it that has a default.
        let needed = variables.filter { !$0.hasDefault } + variables.filter(\.hasDefault)
        for variable in needed where seen.insert(variable.name).inserted {
            let lacking = audience.origins.first { !$0.columns.contains(variable.name) }
            guard let lacking else { continue }
            if !variable.hasDefault {
                findings.error(
                    .variableWithoutValue, at: variable.range,
                    "\"{{\(variable.name)}}\" has no default, and the people of \"\(path: lacking.name.shortened)\" have no column \"\(variable.name)\".",
                    help: Self.help(for: variable.name, columns: columns))
            } else if !columns.contains(variable.name) {
                findings.warning(
                    .unknownVariable, at: variable.range,
                    "No audience file has a column \"\(variable.name)\"; everybody gets the default.",
                    help: NearestName.nearest(to: variable.name, among: columns).map {
                        "Did you mean \"\($0)\"?"
                    })
            }
        }
        if let variable = variables.first(where: { $0.name == CSVHeader.usernameColumn }) {
            checkUsernameVariable(variable, audience: audience)
        }
    }

    /// `{{username}}` is a column of every table, and of nothing else.
    private mutating func checkUsernameVariable(
        _ variable: LocatedTemplate.Variable, audience: AudienceSection
    ) {
        guard !variable.hasDefault,
            let lacking = audience.origins.first(where: { $0.columns.isEmpty })
        else { return }
        findings.error(
            .variableWithoutValue, at: variable.range,
            "\"{{\(variable.name)}}\" has no default, and the people of \"\(path: lacking.name.shortened)\" have no columns.",
            help: "Put them into a CSV file.")
    }

    private static func help(for name: String, columns: [String]) -> String {
        let add = "Add the column, or write a default: {{\(name)|default}}."
        guard let nearest = NearestName.nearest(to: name, among: columns), nearest != name else {
            return add
        }
        return "Did you mean \"\(nearest)\"? " + add
    }
}
