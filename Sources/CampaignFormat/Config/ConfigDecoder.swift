import CampaignCore

struct ConfigDecoder {
    /// Each secret can also come from a file or a command, which two sibling keys specify.
    static let connectionString = "connection_string"
    static let heartbeat = "heartbeat"

    let findings: Findings
    let folder: String
    let isNamed: Bool
    /// The places of secrets in the file itself.
    private(set) var secrets: [SourceRange] = []

    mutating func decode(_ root: YAMLNode) -> Config? {
        guard let reader = MappingReader(root, of: .config, findings: findings) else { return nil }
        let hubReader = reader.mapping("hub")
        let hub = hubReader.flatMap { self.hub($0) }
        let backend = reader.mapping("backend").map {
            BackendDecoder(backend: $0, folder: folder).decode()
        }
        var limits = reader.mapping("limits").map(limits) ?? CampaignLimits()
        let retention = reader.mapping("retention").map(retention)
        limits.keptDeliveries = retention?.deliveries.map(limit)
        let testers = reader.mapping("rehearsal")?.items("testers", findings.username).values()
        noteSecret(Self.heartbeat, in: reader)
        let heartbeat = secret(Self.heartbeat, in: reader, variable: "HUBSEND_HEARTBEAT")
        return Config(
            folder: folder, hub: hub,
            hubLine: hubReader.flatMap { reader in
                ["local", "name"].first(where: reader.has).map {
                    TextRange(reader.range(ofKey: $0)).line
                }
            }, store: store(reader),
            reports: reader.path("reports", in: folder),
            audiences: reader.path("audiences", in: folder),
            terms: CampaignTerms(limits: limits, defaults: defaults(reader, limits)),
            backend: backend, testers: Set(testers ?? []), heartbeat: heartbeat,
            metrics: reader.path("metrics", in: folder),
            retention: RetentionTimes(
                payloads: retention?.payloads?.value, deliveries: retention?.deliveries?.value))
    }

    /// A path, or a server's URI as written, valid or not.
    private mutating func store(_ reader: MappingReader) -> String? {
        guard case .scalar(let scalar)? = reader["store"]?.content,
            StoreURI.isMeant(scalar.text)
        else { return reader.path("store", in: folder) }
        let text = scalar.text
        // A URI with a password is refused, and no finding may show it.
        if StoreURI.mayHavePassword(text) { noteSecret("store", in: reader) }
        return text
    }

    // MARK: hub

    private mutating func hub(_ reader: MappingReader) -> HubSetting? {
        noteSecret(Self.connectionString, in: reader)
        let devices = reader.path("local", in: folder)
        let name = reader.text("name")?.value.text
        if let devices { return .local(devices: devices) }
        let string = secret(
            Self.connectionString, in: reader, variable: "HUBSEND_HUB_CONNECTION_STRING")
        return .remote(string, name: name)
    }

    // MARK: secrets

    private mutating func noteSecret(_ key: String, in reader: MappingReader) {
        if let range = reader[key]?.range { secrets.append(range) }
    }

    /// - Parameter variable: the environment variable that can replace the keys.
    private func secret(
        _ key: String, in reader: MappingReader, variable: String
    ) -> SecretSource? {
        let text = reader.text(key)?.value.text
        let file = reader.path(key + "_file", in: folder)
        let command = reader.text(key + "_command")?.value.text
        for ending in ["_file", "_command"] where reader.has(key + ending) && !isNamed {
            findings.error(
                .refusedFile, at: reader.range(ofKey: key + ending),
                "\"\(reader.name(of: key + ending))\" is only allowed in a config that is given with --config or HUBSEND_CONFIG.",
                help: "Pass this config with --config, or set \(variable)\(ending.uppercased()).")
        }
        if let text { return .text(SecretText(text)) }
        return file.map { .file($0) } ?? command.map { .command($0) }
    }

    // MARK: limits

    private func limits(_ reader: MappingReader) -> CampaignLimits {
        var limits = CampaignLimits(urlSchemes: urlSchemes(reader))
        limits.recipients = reader.integer("recipients").map(limit)
        if let rate = reader.value("rate", RateText.parse), let highest = rate.value {
            limits.rate = limit(Located(highest, at: rate.range))
        }
        limits.kinds = kinds(reader)
        return limits
    }

    private func limit<Value>(_ value: Located<Value>) -> CampaignLimits.Limit<Value> {
        CampaignLimits.Limit(
            value: value.value,
            note: findings.note("The config sets the limit here.", at: value.range))
    }

    private func kinds(_ reader: MappingReader) -> CampaignLimits.Limit<Set<CampaignKind>>? {
        let kinds = reader.choices("kinds", as: CampaignKind.self)
        guard !kinds.elements.isEmpty, let range = reader["kinds"]?.range else { return nil }
        return limit(Located(Set(kinds.values()), at: range))
    }

    private func urlSchemes(_ reader: MappingReader) -> Set<String> {
        let schemes: Items<Located<String>> = reader.items("url_schemes") { item in
            let scheme = item.value.text
            guard let refusal = URLScheme.refusal(of: scheme) else { return scheme }
            findings.error(
                .unknownValue, at: item.range, refusal.message(about: scheme),
                help: refusal.help(about: scheme))
            return nil
        }
        return Set(schemes.values())
    }

    // MARK: retention

    private func retention(
        _ reader: MappingReader
    ) -> (payloads: Located<Duration>?, deliveries: Located<Duration>?) {
        let payloads = reader.value("payloads", DurationText.days.parse)
        let deliveries = reader.value("deliveries", DurationText.days.parse)
        if let payloads, let deliveries, deliveries.value < payloads.value {
            findings.error(
                .conflictingKeys, at: deliveries.range,
                "\"retention.deliveries\" is less than \"retention.payloads\".",
                help:
                    "Payloads are deleted no later than their deliveries; write \(Durations.written(payloads.value)) or more.",
                related: ("The time for payloads is set here.", payloads.range))
        }
        return (payloads, deliveries)
    }

    // MARK: defaults

    private func defaults(
        _ reader: MappingReader, _ limits: CampaignLimits
    ) -> CampaignDefaults? {
        guard let node = reader["defaults"], let defaults = reader.mapping("defaults") else {
            return nil
        }
        defaults.checkDefaults(limits: limits, folder: folder)
        return CampaignDefaults(node, of: findings.files, secrets: secrets)
    }
}
