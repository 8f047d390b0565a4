import CampaignCore
import YAMLSyntax

struct ConfigDecoder {
    /// Each has sibling keys for a file and a command.
    static let connectionString = "connection_string"
    static let heartbeat = "heartbeat"

    private let findings: Findings
    private let folder: String
    private let isNamed: Bool
    /// Where the file itself has secrets.
    private(set) var secrets: [SourceRange] = []

    init(findings: Findings, folder: String, isNamed: Bool) {
        self.findings = findings
        self.folder = folder
        self.isNamed = isNamed
    }

    mutating func decode(_ root: YAMLNode) -> Config? {
        guard let reader = MappingReader(root, of: .config, findings: findings) else { return nil }
        let hubReader = reader.mapping("hub")
        let hub = hubReader.flatMap { self.hub($0) }
        let backend = reader.mapping("backend").map {
            BackendDecoder($0, folder: folder).decode()
        }
        var limits = reader.mapping("limits").map(limits) ?? CampaignLimits()
        let retention = reader.mapping("retention").map(retention)
        limits.keptDeliveries = retention?.deliveries.map { limit($0.value, at: $0.range) }
        let testers = reader.mapping("rehearsal").map(testers)
        noteSecret(Self.heartbeat, in: reader)
        refuseSecond(of: Self.keys(of: Self.heartbeat), in: reader, "The config")
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
            backend: backend, testers: testers ?? [], heartbeat: heartbeat,
            metrics: reader.path("metrics", in: folder),
            retention: RetentionTimes(
                payloads: retention?.payloads?.value, deliveries: retention?.deliveries?.value))
    }

    /// A path, or a server's URI as written, right or wrong.
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
        refuseSecond(of: Self.keys(of: Self.connectionString) + ["local"], in: reader, "The hub")
        if reader.has("local"), reader.has("name") {
            findings.error(
                .conflictingKeys, at: reader.range(ofKey: "name"),
                "The local hub has no \"name\".", help: "Delete the key.")
        }
        if let devices { return .local(devices: devices) }
        let string = secret(
            Self.connectionString, in: reader, within: "hub.",
            variable: "HUBSEND_HUB_CONNECTION_STRING")
        return .remote(string, name: name)
    }

    // MARK: secrets

    /// The secret's key, and those that say where it is instead.
    private static func keys(of key: String) -> [String] {
        ["", "_file", "_command"].map { key + $0 }
    }

    private mutating func noteSecret(_ key: String, in reader: MappingReader) {
        if let range = reader[key]?.range { secrets.append(range) }
    }

    private func refuseSecond(of keys: [String], in reader: MappingReader, _ owner: String) {
        let given = keys.filter { reader.has($0) }
        for key in given.dropFirst() {
            findings.error(
                .conflictingKeys, at: reader.range(ofKey: key),
                "\(owner) has both \"\(given[0])\" and \"\(key)\".", help: "Keep one of them.",
                related: ("The first is here.", reader.range(ofKey: given[0])))
        }
    }

    /// `section` ends with a dot; `variable` may be set instead of the keys.
    private func secret(
        _ key: String, in reader: MappingReader, within section: String = "", variable: String
    ) -> SecretSource? {
        let text = reader.text(key)?.value.text
        let file = reader.path(key + "_file", in: folder)
        let command = reader.text(key + "_command")?.value.text
        for ending in ["_file", "_command"] where reader.has(key + ending) && !isNamed {
            findings.error(
                .refusedFile, at: reader.range(ofKey: key + ending),
                "\"\(section)\(key)\(ending)\" counts only in a config that --config or HUBSEND_CONFIG names.",
                help: "Name this config so, or set \(variable)\(ending.uppercased()).")
        }
        if let text { return .text(SecretText(text)) }
        return file.map { .file($0) } ?? command.map { .command($0) }
    }

    // MARK: limits

    private func limits(_ reader: MappingReader) -> CampaignLimits {
        var limits = CampaignLimits(urlSchemes: urlSchemes(reader))
        limits.recipients = reader.integer("recipients").map { limit($0.value, at: $0.range) }
        if let rate = reader.value("rate", RateText.parse), let highest = rate.value {
            limits.rate = limit(highest, at: rate.range)
        }
        limits.kinds = kinds(reader)
        return limits
    }

    private func limit<Value>(
        _ value: Value, at range: SourceRange
    ) -> CampaignLimits.Limit<Value> {
        CampaignLimits.Limit(value: value, file: findings.file, range: TextRange(range))
    }

    private func kinds(_ reader: MappingReader) -> CampaignLimits.Limit<Set<CampaignKind>>? {
        guard let list = reader.list("kinds", form: RightForm.list) else { return nil }
        guard !list.value.isEmpty else {
            findings.error(
                .emptyValue, at: list.range, "\"limits.kinds\" allows no campaign at all.",
                help: "Name the kinds that campaigns may have.")
            return nil
        }
        var places: [CampaignKind: SourceRange] = [:]
        for kind in list.value.compactMap({ reader.choice($0, of: "kinds", as: CampaignKind.self) })
        {
            if let first = places.updateValue(kind.range, forKey: kind.value) {
                findings.error(
                    .duplicateValue, at: kind.range,
                    "The kind \(kind.value.rawValue) appears twice.",
                    related: ("It is first here.", first))
            }
        }
        return limit(Set(places.keys), at: list.range)
    }

    private func urlSchemes(_ reader: MappingReader) -> Set<String> {
        var places: [String: SourceRange] = [:]
        let schemes: [String] = reader.items(
            "url_schemes", form: RightForm.list
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

    // MARK: retention

    private func retention(
        _ reader: MappingReader
    ) -> (payloads: Located<Duration>?, deliveries: Located<Duration>?) {
        let payloads = reader.value("payloads", DaysText.parse)
        let deliveries = reader.value("deliveries", DaysText.parse)
        if let payloads, let deliveries, deliveries.value < payloads.value {
            findings.error(
                .conflictingKeys, at: deliveries.range,
                "\"retention.deliveries\" is less than \"retention.payloads\".",
                help:
                    "Payloads go with the deliveries at the latest: write \(DurationText.text(of: payloads.value)) or more.",
                related: ("Payloads are kept for so long.", payloads.range))
        }
        return (payloads, deliveries)
    }

    // MARK: rehearsal

    private func testers(_ reader: MappingReader) -> Set<Username> {
        Set(reader.items("testers", findings.username))
    }

    // MARK: defaults

    private func defaults(
        _ reader: MappingReader, _ limits: CampaignLimits
    ) -> CampaignDefaults? {
        guard let node = reader["defaults"], let defaults = reader.mapping("defaults") else {
            return nil
        }
        DefaultsCheck(defaults, limits: limits, folder: folder).run()
        return CampaignDefaults(node, of: findings.files, secrets: secrets)
    }
}
