import CampaignCore
import YAMLSyntax

/// Reads the key `backend` of a config: the settings of the app backend.
struct BackendDecoder {
    private let backend: MappingReader
    private let folder: String
    private var findings: Findings { backend.findings }

    /// - Parameters:
    ///   - backend: the keys under `backend`.
    ///   - folder: what relative paths start from.
    init(_ backend: MappingReader, folder: String) {
        self.backend = backend
        self.folder = folder
    }

    func decode() -> BackendSettings {
        BackendSettings(
            listen: backend.text("listen")?.value.text,
            users: backend.path("users", in: folder),
            jwt: backend.mapping("jwt").flatMap(tokenRules),
            tls: backend.mapping("tls").flatMap(tlsFiles),
            proxies: backend.items("proxies", proxy),
            allowedTags: backend.items("allowed_tags", allowedTag),
            senders: backend.items("senders", sender),
            audit: backend.path("audit", in: folder))
    }

    private func proxy(_ item: Located<YAMLScalar>) -> AddressRange? {
        guard let range = AddressRange(item.value.text) else {
            findings.error(
                .unknownValue, at: item.range,
                "\"\(item.value.text.shortened)\" is neither an IP address nor a range of IP addresses.",
                help: "Write an address such as 10.0.0.7, or a range such as 10.0.0.0/8.")
            return nil
        }
        guard !item.value.text.hasSuffix("/0") else {
            findings.error(
                .unknownValue, at: item.range,
                "\"\(item.value.text)\" covers every address, so anybody would count as a proxy.",
                help: "Name your own proxies.")
            return nil
        }
        return range
    }

    private func allowedTag(_ item: Located<YAMLScalar>) -> TagPattern? {
        do throws(TagPatternFault) {
            return try TagPattern(item.value.text)
        } catch {
            findings.error(
                .unknownValue, at: item.range,
                "The tag \"\(item.value.text.shortened)\" \(error).",
                help: error == .reserved
                    ? "Name the tags that devices may ask for, such as news or city:*." : nil)
            return nil
        }
    }

    private func sender(_ item: Located<YAMLScalar>) -> Username? {
        do throws(UsernameFault) {
            return try Username(item.value.text)
        } catch {
            findings.error(
                .invalidUsername, at: item.range,
                "The sender \"\(audience: item.value.text.shortened)\" \(error).")
            return nil
        }
    }

    private func tlsFiles(_ reader: MappingReader) -> TLSFiles? {
        let certificate = reader.path("certificate", in: folder)
        let key = reader.path("key", in: folder)
        guard let certificate, let key else { return nil }
        return TLSFiles(certificate: certificate, key: key)
    }

    // MARK: Tokens

    private func tokenRules(_ reader: MappingReader) -> TokenRules? {
        let issuer = reader.text("issuer")?.value.text
        let audience = reader.text("audience")?.value.text
        let claim = reader.text("username_claim")?.value.text
        let lifetime = reader.duration("longest_lifetime")?.value
        let leeway = reader.duration(
            "leeway", tooLong: "Clocks that are further apart have to be set.")?.value
        let keys = tokenKeys(reader)
        guard let issuer, let audience, !keys.isEmpty else { return nil }
        return TokenRules(
            issuer: issuer, audience: audience,
            usernameClaim: claim ?? TokenRules.defaultUsernameClaim,
            longestLifetime: lifetime ?? TokenRules.defaultLongestLifetime,
            leeway: leeway ?? TokenRules.defaultLeeway, keys: keys)
    }

    private func tokenKeys(_ reader: MappingReader) -> [TokenKey] {
        guard let list = reader.list("keys") else { return [] }
        guard !list.value.isEmpty else {
            findings.error(
                .emptyValue, at: list.range, "\"backend.jwt.keys\" names no key.",
                help: "Without one no token can be checked.")
            return []
        }
        guard reader.isBounded(list, "keys") else { return [] }
        var ids: [String?: SourceRange] = [:]
        var keys: [TokenKey] = []
        for node in list.value {
            guard
                let entry = reader.mapping(node, of: "keys", keyRange: node.range),
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

    private func tokenKey(_ reader: MappingReader, isOnly: Bool) -> TokenKey? {
        // The only key need not be named by the tokens.
        if !isOnly { reader.require(["id"]) }
        let id = reader.text("id")?.value.text
        let algorithm = reader.choice("algorithm", as: TokenAlgorithm.self)?.value
        let file = reader.path("file", in: folder)
        guard let algorithm, let file else { return nil }
        return TokenKey(id: id, algorithm: algorithm, file: file)
    }
}
