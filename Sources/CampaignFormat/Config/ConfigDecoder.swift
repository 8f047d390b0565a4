import Files
import YAMLSyntax

/// Turns the nodes of a config file into settings.
struct ConfigDecoder {
    var findings: Findings
    let folder: String
    let isNamed: Bool
    /// Where a connection string stands in the file itself.
    private(set) var secret: SourceRange?
    private(set) var unsupportedKeys: [UnsupportedKey] = []

    init(findings: Findings, folder: String, isNamed: Bool) {
        self.findings = findings
        self.folder = folder
        self.isNamed = isNamed
    }

    mutating func decode(_ root: YAMLNode) -> Config? {
        let start = SourceRange(start: root.range.start, end: root.range.start)
        guard
            let reader = MappingReader(
                root, path: "", keyRange: start, known: ConfigKeys.top, findings: &findings)
        else { return nil }
        for key in ConfigKeys.later { notYetSupported(key, of: reader) }
        let hub = reader.mapping("hub", known: ConfigKeys.hub, findings: &findings)
            .flatMap { self.hub($0) }
        let backend = reader.mapping("backend", known: ConfigKeys.backend, findings: &findings)
            .flatMap { self.backend($0) }
        let limits = reader.mapping("limits", known: ConfigKeys.limits, findings: &findings)
            .map { self.limits($0) }
        let testers = reader.mapping("rehearsal", known: ConfigKeys.rehearsal, findings: &findings)
            .map { self.testers($0) }
        return Config(
            folder: folder, hub: hub, store: path("store", of: reader),
            reports: path("reports", of: reader), limits: limits ?? CampaignLimits(),
            backend: backend, testers: testers ?? [])
    }

    /// Notes a key of the contract that nothing acts on yet.
    mutating func notYetSupported(_ key: String, of reader: MappingReader) {
        guard reader.has(key) else { return }
        let (name, range) = (reader.name(of: key), reader.range(ofKey: key))
        findings.warning(
            .notYetSupported, at: range, "\"\(name)\" is not acted on yet.",
            help: "hubsend run refuses it; delete the key.")
        unsupportedKeys.append(UnsupportedKey(key: name, range: TextRange(range)))
    }

    private mutating func hub(_ reader: MappingReader) -> HubSetting? {
        secret = reader["connection_string"]?.range
        let devices = path("local", of: reader)
        let name = findings.text("name", of: reader)?.value.text
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

    private mutating func connectionString(_ reader: MappingReader) -> HubSetting.ConnectionString?
    {
        let text = findings.text("connection_string", of: reader)?.value.text
        let file = path("connection_string_file", of: reader)
        let command = findings.text("connection_string_command", of: reader)?.value.text
        for key in ConfigKeys.connection.dropFirst() where reader.has(key) && !isNamed {
            findings.error(
                .refusedFile, at: reader.range(ofKey: key),
                "\"hub.\(key)\" counts only in a config that --config or HUBSEND_CONFIG names.",
                help: "Name this config so, or set HUBSEND_HUB_\(key.uppercased()).")
        }
        if let text { return .text(SecretText(text)) }
        return file.map { .file($0) } ?? command.map { .command($0) }
    }

    /// A path, seen from the current folder.
    mutating func path(_ key: String, of reader: MappingReader) -> String? {
        guard let text = findings.text(key, of: reader)?.value.text else { return nil }
        return text.hasPrefix("/") ? text : Path.file(text, in: folder)
    }
}
