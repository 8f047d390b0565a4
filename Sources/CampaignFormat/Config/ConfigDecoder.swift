import CampaignCore
import YAMLSyntax

/// Turns the nodes of a config file into settings.
struct ConfigDecoder {
    /// A list with more items than this is a mistake.
    static let mostItems = 1_000

    private let findings: Findings
    private let folder: String
    private let isNamed: Bool
    /// Where a connection string stands in the file itself.
    private(set) var secret: SourceRange?

    /// - Parameters:
    ///   - findings: where faults go.
    ///   - folder: what relative paths start from.
    ///   - isNamed: whether a flag or variable names the file.
    init(findings: Findings, folder: String, isNamed: Bool) {
        self.findings = findings
        self.folder = folder
        self.isNamed = isNamed
    }

    mutating func decode(_ root: YAMLNode) -> Config? {
        guard let reader = MappingReader(root, known: ConfigKeys.top, findings: findings) else {
            return nil
        }
        for key in ConfigKeys.later { reader.warnOfUnsupported(key) }
        let hub = reader.mapping("hub", known: ConfigKeys.hub).flatMap { self.hub($0) }
        let backend = reader.mapping("backend", known: ConfigKeys.backend).map {
            BackendDecoder($0, folder: folder).decode()
        }
        let limits = reader.mapping("limits", known: ConfigKeys.limits).map(limits)
        let testers = reader.mapping("rehearsal", known: ConfigKeys.rehearsal).map(testers)
        return Config(
            folder: folder, hub: hub, store: reader.path("store", in: folder),
            reports: reader.path("reports", in: folder),
            audiences: reader.path("audiences", in: folder), limits: limits ?? CampaignLimits(),
            backend: backend, testers: testers ?? [])
    }

    // MARK: hub

    private mutating func hub(_ reader: MappingReader) -> HubSetting? {
        secret = reader["connection_string"]?.range
        let devices = reader.path("local", in: folder)
        let name = reader.text("name")?.value.text
        let given = (ConfigKeys.connection + ["local"]).filter { reader.has($0) }
        for key in given.dropFirst() {
            findings.error(
                .conflictingKeys, at: reader.range(ofKey: key),
                "The hub has both \"\(given[0])\" and \"\(key)\".", help: "Keep one of them.",
                related: ("The first is here.", reader.range(ofKey: given[0])))
        }
        if reader.has("local"), reader.has("name") {
            findings.error(
                .conflictingKeys, at: reader.range(ofKey: "name"),
                "The local hub has no \"name\".", help: "Delete the key.")
        }
        if let devices { return .local(devices: devices) }
        return .remote(connectionString(reader), name: name)
    }

    private func connectionString(_ reader: MappingReader) -> HubSetting.ConnectionString? {
        let text = reader.text("connection_string")?.value.text
        let file = reader.path("connection_string_file", in: folder)
        let command = reader.text("connection_string_command")?.value.text
        for key in ConfigKeys.connection.dropFirst() where reader.has(key) && !isNamed {
            findings.error(
                .refusedFile, at: reader.range(ofKey: key),
                "\"hub.\(key)\" counts only in a config that --config or HUBSEND_CONFIG names.",
                help: "Name this config so, or set HUBSEND_HUB_\(key.uppercased()).")
        }
        if let text { return .text(SecretText(text)) }
        return file.map { .file($0) } ?? command.map { .command($0) }
    }

    // MARK: limits

    private func limits(_ reader: MappingReader) -> CampaignLimits {
        for key in ConfigKeys.laterLimits { reader.warnOfUnsupported(key) }
        return CampaignLimits(urlSchemes: urlSchemes(reader))
    }

    private func urlSchemes(_ reader: MappingReader) -> Set<String> {
        var places: [String: SourceRange] = [:]
        let schemes: [String] = reader.items(
            "url_schemes", atMost: Self.mostItems, form: RightForm.list
        ) { item in
            let scheme = item.value.text
            if let refusal = URLScheme.refusal(of: scheme) {
                findings.error(
                    .unknownValue, at: item.range, refusal.message(about: scheme),
                    help: refusal.help(about: scheme))
                return nil
            }
            if let first = places.updateValue(item.range, forKey: scheme) {
                findings.error(
                    .duplicateValue, at: item.range,
                    "The scheme \"\(scheme)\" appears twice.",
                    related: ("It is first here.", first))
                return nil
            }
            return scheme
        }
        return Set(schemes)
    }

    // MARK: rehearsal

    private func testers(_ reader: MappingReader) -> Set<Username> {
        reader.require(ConfigKeys.rehearsal)
        return Set(reader.items("testers", atMost: Self.mostItems, findings.username))
    }
}
