import CampaignCore
import YAMLSyntax

/// Texts with variables.
extension CampaignDecoder {
    /// The most bytes of a text in the campaign file, and the most variables in it.
    private static let longestText = 64 << 10
    private static let mostVariables = 100

    /// Reads a key's text as a template.
    mutating func template(_ key: String, of reader: MappingReader) -> LocatedTemplate? {
        guard let scalar = findings.text(key, of: reader) else { return nil }
        guard scalar.value.text.utf8.count <= Self.longestText else {
            findings.error(
                .tooLarge, at: reader.range(ofKey: key),
                "\"\(reader.name(of: key))\" has more than \(Self.longestText) bytes.",
                help: "Put a long text into a file and name it with \"file\".")
            return nil
        }
        guard let template = parse(scalar) else { return nil }
        guard template.template.variables.count <= Self.mostVariables else {
            findings.error(
                .outOfRange, at: reader.range(ofKey: key),
                "\"\(reader.name(of: key))\" has more than \(Self.mostVariables) variables.")
            return nil
        }
        return template
    }

    private mutating func parse(_ scalar: Located<YAMLScalar>) -> LocatedTemplate? {
        do throws(MessageTemplateFault) {
            return try LocatedTemplate(scalar, source: findings.source)
        } catch {
            let places = ScalarPlaces(scalar, source: findings.source)
            let range = places.range(ofCharacters: error.range, in: scalar.value.text)
            findings.error(
                .invalidTemplate, at: range, Self.message(for: error.reason),
                help: "Write {{column}} or {{column|default}}.")
            return nil
        }
    }

    private static func message(for reason: MessageTemplateFault.Reason) -> DiagnosticMessage {
        switch reason {
        case .unclosed: "The variable that opens here with {{ is never closed with }}."
        case .emptyName: "The variable has no name."
        case .badName:
            "The variable's name is no column name: 1 to 64 letters, digits, dots, - and _."
        }
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
