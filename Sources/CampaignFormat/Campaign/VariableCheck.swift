struct VariableCheck {
    let texts: [LocatedTemplate]
    let audience: AudienceSection?
    let findings: Findings

    func run() {
        if let audience, !audience.isIncomplete, audience.hasPeople { checkValues(of: audience) }
        warnOfLookAlikes()
    }

    // MARK: Values

    private func checkValues(of audience: AudienceSection) {
        let variables = texts.flatMap(\.variables)
        let columns = AudienceColumns(
            audience.origins.flatMap(\.columns).filter { $0 != CSVHeader.usernameColumn })
        var seen: Set<String> = [CSVHeader.usernameColumn]
        // Uses without a default are checked before uses with a default.
        let needed = variables.filter { !$0.hasDefault } + variables.filter(\.hasDefault)
        for variable in needed where seen.insert(variable.name).inserted {
            let lacking = audience.origins.first { !$0.columns.contains(variable.name) }
            guard let lacking else { continue }
            if !variable.hasDefault {
                findings.error(
                    .variableWithoutValue, at: variable.range,
                    "\"{{\(variable.name)}}\" has no default, and \"\(path: lacking.name.shortened)\" has no column \"\(variable.name)\".",
                    help: Self.help(for: variable.name, columns: columns))
            } else if !columns.names.contains(variable.name) {
                findings.warning(
                    .unknownVariable, at: variable.range,
                    "No audience file has a column \"\(variable.name)\"; everybody gets the default.",
                    help: columns.nearest(to: variable.name).map { "Did you mean \"\($0)\"?" })
            }
        }
        if let variable = variables.first(where: { $0.name == CSVHeader.usernameColumn }) {
            checkUsername(variable, of: audience)
        }
    }

    /// `{{username}}` works for people in a table, but not for people in other lists.
    private func checkUsername(
        _ variable: LocatedTemplate.Variable, of audience: AudienceSection
    ) {
        guard !variable.hasDefault,
            let lacking = audience.origins.first(where: { $0.columns.isEmpty })
        else { return }
        findings.error(
            .variableWithoutValue, at: variable.range,
            "\"{{\(variable.name)}}\" has no default, and \"\(path: lacking.name.shortened)\" has no columns.",
            help: "Put the people into a CSV file.")
    }

    private static func help(for name: String, columns: AudienceColumns) -> DiagnosticMessage {
        let add: DiagnosticMessage = "Add the column, or write a default: {{\(name)|default}}."
        guard let nearest = columns.nearest(to: name), nearest != name else { return add }
        return "Did you mean \"\(nearest)\"? \(add)"
    }

    // MARK: Other tools' variables

    /// Warns about other tools' placeholders, which hubsend sends literally.
    private func warnOfLookAlikes() {
        let columns = AudienceColumns(audience?.origins.flatMap(\.columns) ?? [])
        for text in texts {
            for finding in LookAlikes(text, columns: columns).findings {
                let range = text.range(of: finding.place)
                let written = text.text(of: finding.place).shortened
                switch finding.kind {
                case .placeholder(let name):
                    findings.warning(
                        .lookAlikeVariable, at: range,
                        "\"\(written)\" is not a hubsend variable and is sent literally.",
                        help: Self.help(forPlaceholder: name, columns: columns))
                case .fallback(let name, let meant):
                    findings.warning(
                        .lookAlikeVariable, at: range,
                        "Everything after the | is sent as the default, including quotes and other words.",
                        help: "Write {{\(name)|\(meant.shortened)}}.")
                case .quotes:
                    findings.warning(
                        .lookAlikeVariable, at: range,
                        "Curly quotes are part of the text and are sent with it.",
                        help:
                            "Put straight quotes around the whole text, and delete the curly ones if they are unintended."
                    )
                }
            }
        }
    }

    private static func help(forPlaceholder name: String?, columns: AudienceColumns)
        -> DiagnosticMessage
    {
        guard let name else { return "Write {{column}} or {{column|default}}." }
        if let column = columns.named(name) {
            return
                "The audience has the column \"\(column)\": write {{\(column)}} or {{\(column)|default}}."
        }
        return
            "Write {{\(name)}} or {{\(name)|default}}, and add a column \"\(name)\" to the audience's files."
    }
}
