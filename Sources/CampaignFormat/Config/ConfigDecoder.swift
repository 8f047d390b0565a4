import CampaignCore
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

/// `backend:`, the app backend.
extension ConfigDecoder {
    /// More than anybody needs; beyond it a file is a mistake.
    private static let mostItems = 1_000

    mutating func backend(_ reader: MappingReader) -> BackendSettings? {
        BackendSettings(
            listen: findings.text("listen", of: reader)?.value.text,
            users: path("users", of: reader),
            jwt: reader.mapping("jwt", known: ConfigKeys.jwt, findings: &findings)
                .flatMap { tokenRules($0) },
            tls: reader.mapping("tls", known: ConfigKeys.tls, findings: &findings)
                .flatMap { tlsFiles($0) },
            proxies: items("proxies", of: reader) { findings, item in
                guard let range = AddressRange(item.value.text) else {
                    findings.error(
                        .unknownValue, at: item.range,
                        "\"\(item.value.text.shortened)\" is no address and no range of addresses.",
                        help: "Write an address such as 10.0.0.7, or a range such as 10.0.0.0/8.")
                    return nil
                }
                guard !item.value.text.hasSuffix("/0") else {
                    findings.error(
                        .unknownValue, at: item.range,
                        "\"\(item.value.text)\" takes in every address, so that anybody would be a proxy.",
                        help: "Name the proxies that are yours.")
                    return nil
                }
                return range
            },
            allowedTags: items("allowed_tags", of: reader) { findings, item in
                do throws(TagPatternFault) {
                    return try TagPattern(item.value.text)
                } catch {
                    findings.error(
                        .unknownValue, at: item.range,
                        "The tag \"\(item.value.text.shortened)\" \(error).",
                        help: error == .reserved
                            ? "Name the tags that devices may ask for, such as news or city:*."
                            : nil)
                    return nil
                }
            },
            senders: items("senders", of: reader) { findings, item in
                do throws(UsernameFault) {
                    return try Username(item.value.text)
                } catch {
                    findings.error(
                        .invalidUsername, at: item.range,
                        "The sender \"\(audience: item.value.text.shortened)\" \(error)."
                    )
                    return nil
                }
            },
            audit: path("audit", of: reader))
    }

    private mutating func tlsFiles(_ reader: MappingReader) -> TLSFiles? {
        findings.require(ConfigKeys.tls, of: reader, root: reader.keyRange)
        let certificate = path("certificate", of: reader)
        let key = path("key", of: reader)
        guard let certificate, let key else { return nil }
        return TLSFiles(certificate: certificate, key: key)
    }

    private mutating func tokenRules(_ reader: MappingReader) -> TokenRules? {
        findings.require(["issuer", "audience", "keys"], of: reader, root: reader.keyRange)
        let issuer = findings.text("issuer", of: reader)?.value.text
        let audience = findings.text("audience", of: reader)?.value.text
        let claim = findings.text("username_claim", of: reader)?.value.text
        let lifetime = findings.duration("longest_lifetime", of: reader)?.value
        let leeway = leeway(reader)
        let keys = tokenKeys(reader)
        guard let issuer, let audience, !keys.isEmpty else { return nil }
        return TokenRules(
            issuer: issuer, audience: audience,
            usernameClaim: claim ?? TokenRules.defaultUsernameClaim,
            longestLifetime: lifetime ?? TokenRules.defaultLongestLifetime,
            leeway: leeway ?? TokenRules.defaultLeeway, keys: keys)
    }

    private mutating func leeway(_ reader: MappingReader) -> Duration? {
        guard let leeway = findings.duration("leeway", of: reader) else { return nil }
        guard leeway.value <= .seconds(600) else {
            findings.error(
                .outOfRange, at: leeway.range, "\"backend.jwt.leeway\" must be at most 10m.",
                help: "Clocks that are further apart have to be set.")
            return nil
        }
        return leeway.value
    }

    private mutating func tokenKeys(_ reader: MappingReader) -> [TokenKey] {
        guard let list = findings.list("keys", of: reader) else { return [] }
        guard !list.value.isEmpty else {
            findings.error(
                .emptyValue, at: list.range, "\"backend.jwt.keys\" names no key.",
                help: "Without one no token can be checked.")
            return []
        }
        guard isBounded(list, "keys", of: reader) else { return [] }
        var ids: [String?: SourceRange] = [:]
        var keys: [TokenKey] = []
        for node in list.value {
            guard
                let entry = MappingReader(
                    node, path: "backend.jwt.keys", keyRange: node.range,
                    known: ConfigKeys.tokenKey, findings: &findings),
                let key = tokenKey(entry, isOnly: list.value.count == 1)
            else { continue }
            if let first = ids[key.id] {
                findings.error(
                    .duplicateValue, at: node.range,
                    "Two keys have the same \"id\".",
                    help: "A token names the one key that it is checked with.",
                    related: ("The first is here.", first))
            }
            ids[key.id] = node.range
            keys.append(key)
        }
        return keys
    }

    private mutating func tokenKey(_ reader: MappingReader, isOnly: Bool) -> TokenKey? {
        // The only key need not be named by the tokens.
        let needed = isOnly ? ["algorithm", "file"] : ConfigKeys.tokenKey
        findings.require(needed, of: reader, root: reader.keyRange)
        let id = findings.text("id", of: reader)?.value.text
        let algorithm = findings.choice(
            "algorithm", of: reader, among: TokenAlgorithm.allCases.map(\.rawValue))
        let file = path("file", of: reader)
        guard let algorithm = algorithm.flatMap({ TokenAlgorithm(rawValue: $0.value) }), let file
        else { return nil }
        return TokenKey(id: id, algorithm: algorithm, file: file)
    }

    /// The items of a list of texts, each read on its own.
    mutating func items<Value>(
        _ key: String, of reader: MappingReader,
        form: (YAMLNode) -> DiagnosticMessage? = { _ in nil },
        _ read: (inout Findings, Located<YAMLScalar>) -> Value?
    ) -> [Value] {
        guard let list = findings.list(key, of: reader, form: form),
            isBounded(list, key, of: reader)
        else { return [] }
        return list.value.compactMap { node in
            findings.item(node, of: reader.name(of: key)).flatMap { read(&findings, $0) }
        }
    }

    private mutating func isBounded(
        _ list: Located<[YAMLNode]>, _ key: String, of reader: MappingReader
    ) -> Bool {
        guard list.value.count > Self.mostItems else { return true }
        findings.error(
            .tooLarge, at: reader.range(ofKey: key),
            "\"\(reader.name(of: key))\" has more than \(Self.mostItems) items.")
        return false
    }
}

/// `limits:`, what binds all campaigns.
extension ConfigDecoder {
    mutating func limits(_ reader: MappingReader) -> CampaignLimits {
        for key in ConfigKeys.laterLimits { notYetSupported(key, of: reader) }
        return CampaignLimits(urlSchemes: urlSchemes(reader))
    }

    private mutating func urlSchemes(_ reader: MappingReader) -> Set<String> {
        var places: [String: SourceRange] = [:]
        let schemes = items("url_schemes", of: reader, form: RightForm.list) { findings, item in
            let scheme = item.value.text
            if let refusal = URLScheme.refusal(of: scheme) {
                findings.error(
                    .unknownValue, at: item.range, Self.message(for: refusal, of: scheme),
                    help: Self.help(for: refusal, of: scheme))
                return nil as String?
            }
            if let first = places.updateValue(item.range, forKey: scheme) {
                findings.error(
                    .duplicateValue, at: item.range,
                    "The scheme \"\(scheme)\" is there twice.",
                    related: ("It is first here.", first))
                return nil
            }
            return scheme
        }
        return Set(schemes)
    }

    private static func message(for refusal: URLScheme.Refusal, of scheme: String)
        -> DiagnosticMessage
    {
        switch refusal {
        case .noScheme: "\"\(scheme.shortened)\" is no scheme of addresses."
        case .unprotected, .unsafe: "The scheme \"\(scheme)\" cannot be allowed."
        }
    }

    private static func help(for refusal: URLScheme.Refusal, of scheme: String) -> String {
        switch refusal {
        case .noScheme:
            let meant = String(scheme.lowercased().prefix { $0 != ":" })
            let example = URLScheme.isScheme(meant) ? meant : "myapp"
            return "Write what stands before the colon, in lower case, such as \(example)."
        case .unprotected:
            return
                "What it leads to can be read and changed on its way; use https, which is always allowed."
        case .unsafe: return "Its addresses run code, or open what is on the device."
        }
    }
}

/// `rehearsal:`, who tries campaigns out.
extension ConfigDecoder {
    mutating func testers(_ reader: MappingReader) -> Set<Username> {
        findings.require(ConfigKeys.rehearsal, of: reader, root: reader.keyRange)
        return Set(
            items("testers", of: reader) { findings, item in
                do throws(UsernameFault) {
                    return try Username(item.value.text)
                } catch {
                    findings.error(
                        .invalidUsername, at: item.range,
                        UsernameText.message(for: item.value.text, fault: error))
                    return nil
                }
            })
    }
}
