import CampaignCore

struct BackendDecoder {
    let backend: MappingReader
    let folder: String
    private var findings: Findings { backend.findings }

    func decode() -> BackendSettings {
        BackendSettings(
            listen: backend.text("listen")?.value.text,
            users: backend.path("users", in: folder),
            jwt: backend.mapping("jwt").flatMap(tokenRules),
            tls: backend.mapping("tls").flatMap(tlsFiles),
            proxies: backend.items("proxies", proxy).values(),
            origins: backend.items("origins", origin).values(),
            allowedTags: backend.items("allowed_tags", allowedTag).values(),
            senders: backend.items("senders", sender).values(),
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
                "\"\(item.value.text)\" covers every address, so every client would be trusted as a proxy.",
                help: "List only the addresses of your proxies.")
            return nil
        }
        return range
    }

    private func origin(_ item: Located<YAMLScalar>) -> PageOrigin? {
        guard let origin = PageOrigin(item.value.text) else {
            findings.error(
                .unknownValue, at: item.range,
                "\"\(item.value.text.shortened)\" is not the origin of a web page.",
                help:
                    "List each origin as scheme://host or scheme://host:port, such as https://app.example.com."
            )
            return nil
        }
        if origin == .none {
            findings.warning(
                .unknownValue, at: item.range,
                "Any web page can open a frame whose origin is \"null\", and call the backend from it.",
                help: "Serve the app's pages from their own origin, and list that origin.")
        }
        return origin
    }

    private func allowedTag(_ item: Located<YAMLScalar>) -> TagPattern? {
        do throws(TagPatternError) {
            return try TagPattern(item.value.text)
        } catch {
            findings.error(
                .unknownValue, at: item.range,
                "The tag \"\(item.value.text.shortened)\" \(error).",
                help: error == .reserved
                    ? "List the tags that devices may request, such as news or city:*." : nil)
            return nil
        }
    }

    private func sender(_ item: Located<YAMLScalar>) -> Username? {
        do throws(UsernameError) {
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
            "leeway", tooLong: "Correct clocks that differ by more than that.")?.value
        let keys = tokenKeys(reader)
        let keySet = reader.mapping("key_set").flatMap(keySet)
        guard let issuer, let audience, !keys.isEmpty || keySet != nil else { return nil }
        return TokenRules(
            issuer: issuer, audience: audience,
            usernameClaim: claim ?? TokenRules.defaultUsernameClaim,
            longestLifetime: lifetime ?? TokenRules.defaultLongestLifetime,
            leeway: leeway ?? TokenRules.defaultLeeway, keys: keys, keySet: keySet)
    }

    private func keySet(_ reader: MappingReader) -> TokenKeySet? {
        let url = reader.text("url")
        let file = reader.path("file", in: folder)
        let named = reader.choices("algorithms", as: TokenAlgorithm.self).values()
        let algorithms = TokenAlgorithm.allCases.filter(named.contains)
        guard !algorithms.isEmpty else { return nil }
        if let file { return TokenKeySet(place: .file(file), algorithms: algorithms) }
        guard let url else { return nil }
        guard !url.value.text.lowercased().hasPrefix("http://") || isLocal(url.value.text) else {
            findings.error(
                .unknownValue, at: url.range,
                "Over plain HTTP, anybody between the two servers could insert their own keys.",
                help: "Write an address that begins with https://.")
            return nil
        }
        return TokenKeySet(place: .url(url.value.text), algorithms: algorithms)
    }

    /// Whether the host is this machine, by one of its usual names.
    private func isLocal(_ address: String) -> Bool {
        let host = address.dropFirst("http://".count).prefix { !"/?#".contains($0) }.lowercased()
        return ["localhost", "127.0.0.1", "[::1]"].contains { local in
            host == local || host.hasPrefix(local + ":")
        }
    }

    private func tokenKeys(_ reader: MappingReader) -> [TokenKey] {
        let count = reader["keys"]?.items.count ?? 0
        var ids: [String?: SourceRange] = [:]
        let keys = reader.elements("keys") { node in
            let key = reader.mapping(node, of: "keys").flatMap { tokenKey($0, isOnly: count == 1) }
            if let key, let first = ids.updateValue(node.range, forKey: key.id) {
                findings.error(
                    .duplicateValue, at: node.range, "Two keys have the same \"id\".",
                    help:
                        "Give each key a different id: a token contains the id of the key that verifies it.",
                    related: ("The first key is here.", first))
            }
            return key
        }
        return keys.elements
    }

    private func tokenKey(_ reader: MappingReader, isOnly: Bool) -> TokenKey? {
        // If there is only one key, tokens need no key id.
        if !isOnly { reader.require(["id"]) }
        let id = reader.text("id")?.value.text
        let algorithm = reader.choice("algorithm", as: TokenAlgorithm.self)?.value
        let file = reader.path("file", in: folder)
        guard let algorithm, let file else { return nil }
        return TokenKey(id: id, algorithm: algorithm, file: file)
    }
}
