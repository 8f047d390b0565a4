import CampaignCore
import YAMLSyntax

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
