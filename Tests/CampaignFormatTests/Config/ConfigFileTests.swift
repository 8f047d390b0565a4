import CampaignCore
import Files
import Glibc
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct ConfigFileTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func read(_ text: String, mode: Int = 0o600, isNamed: Bool = false) throws
        -> LoadedConfig
    {
        try ConfigFile.read(folder.write(text, to: "hubsend.yaml", mode: mode), isNamed: isNamed)
    }

    @Test("Paths are relative to the config") func pathsAreRelativeToTheConfig() throws {
        let text =
            "hub: { local: dev/devices.yaml }\nstore: a/b.sqlite\nreports: /var/reports\naudiences: ../out\n"
        let config = try #require(try read(text).config)
        #expect(config.folder == folder.path)
        #expect(config.hub == .local(devices: folder.path + "/dev/devices.yaml"))
        #expect(config.store == folder.path + "/a/b.sqlite")
        #expect(config.reports == "/var/reports")
        #expect(config.audiences == folder.path + "/../out")
    }

    @Test("A connection string is read but never shown")
    func connectionStringIsReadButNeverShown() throws {
        let text = "hub: { connection_string: \"SharedAccessKey=c2VjcmV0\", name: spring }\n"
        let config = try #require(try read(text).config)
        #expect(
            config.hub
                == .remote(.text(SecretText("SharedAccessKey=c2VjcmV0")), name: "spring"))
        var dumped = ""
        dump(config, to: &dumped)
        #expect(!"\(config) \(dumped)".contains("c2VjcmV0"))
    }

    private func rules(_ jwt: String) throws -> [String] {
        try read("backend:\n  jwt: { issuer: i, audience: a, \(jwt) }\n").diagnostics.map(\.rule)
    }

    private func keySet(_ text: String) throws -> TokenKeySet? {
        try read("backend:\n  jwt: { issuer: i, audience: a, key_set: { \(text) } }\n")
            .config?.backend?.jwt?.keySet
    }

    @Test("Token keys can come from a key set") func tokenKeysCanComeFromAKeySet() throws {
        let url = "https://id.example.com/keys"
        #expect(
            try keySet("url: \"\(url)\", algorithms: [ES256, RS256]")
                == TokenKeySet(place: .url(url), algorithms: [.rs256, .es256]))
        #expect(
            try keySet("file: keys/issuer.json, algorithms: [EdDSA]")
                == TokenKeySet(
                    place: .file(folder.path + "/keys/issuer.json"), algorithms: [.edDSA]))
        for local in ["http://127.0.0.1:8000/keys", "http://localhost/keys", "http://[::1]:1/k"] {
            #expect(
                try keySet("url: \"\(local)\", algorithms: [RS256]")?.place == .url(local))
        }
    }

    @Test(
        "An unsafe key set is refused",
        arguments: [
            ("key_set: { url: \"https://a/k\" }", ["missing-key"]),
            ("key_set: { algorithms: [RS256] }", ["missing-key"]),
            (
                "key_set: { url: \"https://a/k\", file: k, algorithms: [RS256] }",
                ["conflicting-keys"]
            ),
            ("key_set: { file: k, algorithms: [] }", ["empty-value"]),
            ("key_set: { file: k, algorithms: [HS256] }", ["unknown-value"]),
            ("key_set: { file: k, algorithms: [none] }", ["unknown-value"]),
            ("key_set: { file: k, algorithms: [RS256, RS256] }", ["duplicate-value"]),
            ("key_set: { url: \"http://a/k\", algorithms: [RS256] }", ["unknown-value"]),
            (
                "key_set: { url: \"http://localhost.evil/k\", algorithms: [RS256] }",
                ["unknown-value"]
            ),
            (
                "keys: [{ algorithm: RS256, file: k }], key_set: { file: k, algorithms: [RS256] }",
                ["conflicting-keys"]
            ),
            ("leeway: 1m", ["missing-key"]),
        ])
    func unsafeKeySetIsRefused(jwt: String, expected: [String]) throws {
        #expect(try rules(jwt) == expected)
    }

    @Test("A heartbeat address is kept as secret as a connection string")
    func heartbeatAddressIsKeptAsSecretAsAConnectionString() throws {
        let text = "heartbeat: https://ping.example/c2VjcmV0\nmetrics: out/a.prom\n"
        let config = try #require(try read(text).config)
        #expect(config.heartbeat == .text(SecretText("https://ping.example/c2VjcmV0")))
        #expect(config.metrics == folder.path + "/out/a.prom")
        var dumped = ""
        dump(config, to: &dumped)
        #expect(!"\(config) \(dumped)".contains("c2VjcmV0"))
        #expect(
            try read("heartbeat_file: ping.txt\n", isNamed: true).config?.heartbeat
                == .file(folder.path + "/ping.txt"))
        #expect(
            try read("heartbeat_command: pass show ping\n", isNamed: true).config?.heartbeat
                == .command("pass show ping"))
        for key in ["heartbeat_file", "heartbeat_command"] {
            #expect(try read("\(key): x\n").diagnostics.map(\.rule) == ["refused-file"])
        }
        let both = try read("heartbeat: x\nheartbeat_file: y\n", isNamed: true).diagnostics
        #expect(both.map(\.rule) == ["conflicting-keys"])
        // A finding next to a secret does not show its line, but findings elsewhere do.
        let faulty = try read("heartbeat: [c2VjcmV0]\nreports: r\nstroe: a\n").diagnostics
        #expect(faulty.map { $0.excerpt == nil } == [true, false])
    }

    @Test("Commands and files for secrets are allowed only in a config named explicitly")
    func commandsAndFilesForSecretsAreAllowedOnlyInAConfigNamed() throws {
        let command = "hub: { connection_string_command: pass show hub, name: spring }\n"
        let file = "hub: { connection_string_file: key.txt }\n"
        #expect(
            try read(command, isNamed: true).config?.hub
                == .remote(.command("pass show hub"), name: "spring"))
        #expect(
            try read(file, isNamed: true).config?.hub
                == .remote(.file(folder.path + "/key.txt"), name: nil))
        #expect(try read(command).diagnostics.map(\.rule) == ["refused-file"])
        #expect(try read(file).config == nil)
    }

    @Test("A config that others can write is refused", arguments: [0o602, 0o666])
    func configThatOthersCanWriteIsRefused(_ mode: Int) throws {
        let error = #expect(throws: InputFileError.self) {
            try read("store: a\n", mode: mode)
        }
        #expect(
            error
                == .unprotected(path: folder.path + "/hubsend.yaml", .writableByOthers(.mode)))
        #expect(error?.description.contains("chmod go-w") == true)
    }

    @Test("A config that belongs to an unexpected user is refused")
    func configThatBelongsToAnUnexpectedUserIsRefused() throws {
        let path = try folder.write("store: a\n", to: "hubsend.yaml", mode: 0o600)
        let read = { try ConfigFile.read(path, isNamed: false, owners: $0) }
        #expect(
            throws: InputFileError.unprotected(path: path, .ownedByAnother(.current, .owner))
        ) {
            try read([geteuid() + 1])
        }
        #expect(try read([geteuid() + 1, geteuid()]).config != nil)
    }

    @Test(
        "A secret that others can read is refused",
        arguments: [
            "hub: { connection_string: x }\n", "hub: [\nconnection_string: x\n", "heartbeat: x\n",
            "heartbeat: [\n",
        ])
    func secretThatOthersCanReadIsRefused(_ text: String) throws {
        let error = #expect(throws: InputFileError.self) { try read(text, mode: 0o604) }
        #expect(
            error
                == .unprotected(
                    path: folder.path + "/hubsend.yaml", .readableByOthers(.mode),
                    holdsSecret: true))
        #expect(error?.description.contains("chmod 600") == true)
        #expect(try read("store: a\n", mode: 0o644).config?.store == folder.path + "/a")
    }

    @Test("Every key of the config is optional") func everyKeyOfTheConfigIsOptional() throws {
        let config = try #require(try read("store: a\n").config)
        #expect(config.hub == nil)
        #expect(config.reports == nil)
    }

    @Test("A config over its size limit is refused") func configOverItsSizeLimitIsRefused() throws {
        let text = "store: a\n#" + String(repeating: "x", count: 1 << 20)
        let loaded = try read(text)
        #expect(loaded.config == nil)
        #expect(loaded.diagnostics.map(\.rule) == ["too-large"])
    }

    @Test("The schemes that links may have are read into the config")
    func schemesThatLinksMayHaveAreReadIntoTheConfig() throws {
        let loaded = try read("limits: { url_schemes: [myapp, tel, https] }\n")
        #expect(loaded.config?.terms.limits.urlSchemes == ["myapp", "tel", "https"])
        #expect(loaded.diagnostics.isEmpty)
        #expect(try read("store: a\n").config?.terms.limits == CampaignLimits())
    }

    @Test("Retention times are read, and without them everything is kept")
    func retentionTimesAreReadAndWithoutThemEverythingIsKept() throws {
        let both = try read("retention: { payloads: 30d, deliveries: 400d }\n")
        #expect(both.diagnostics.isEmpty)
        #expect(
            both.config?.retention
                == RetentionTimes(
                    payloads: .seconds(30 * 86_400), deliveries: .seconds(400 * 86_400)))
        #expect(
            try read("retention: { deliveries: 1d }\n").config?.retention
                == RetentionTimes(deliveries: .seconds(86_400)))
        #expect(try read("store: a\n").config?.retention == RetentionTimes())
    }

    @Test("The error about a missing config names it") func errorAboutAMissingConfigNamesIt() {
        #expect(throws: InputFileError.missing(path: "/gone/hubsend.yaml")) {
            try ConfigFile.read("/gone/hubsend.yaml", isNamed: true)
        }
    }

    @Test("Testers are read, and their names are checked")
    func testersAreReadAndTheirNamesAreChecked() throws {
        let config = try #require(try read("rehearsal: { testers: [dana, bob, dana] }\n").config)
        #expect(config.testers.map(\.text).sorted() == ["bob", "dana"])
        #expect(try read("store: a.sqlite\n").config?.testers.isEmpty == true)
    }

    @Test("The backend's paths are relative to the config")
    func backendsPathsAreRelativeToTheConfig() throws {
        let loaded = try read(try Fixtures.text("config/good-backend.yaml"))
        let backend = try #require(loaded.config?.backend)
        let keys = ["11", "12"].map { "2026-\($0)" }
        #expect(
            backend
                == BackendSettings(
                    listen: "127.0.0.1:8080", users: folder.path + "/users.htpasswd",
                    jwt: TokenRules(
                        issuer: "https://id.example.com", audience: "hubsend",
                        usernameClaim: "preferred_username", longestLifetime: .seconds(43_200),
                        leeway: .seconds(60),
                        keys: zip(keys, [TokenAlgorithm.es256, .rs256]).map { id, algorithm in
                            TokenKey(
                                id: id, algorithm: algorithm,
                                file: folder.path + "/keys/\(id).pem")
                        }),
                    tls: TLSFiles(
                        certificate: folder.path + "/tls/chain.pem",
                        key: folder.path + "/tls/key.pem"),
                    proxies: ["127.0.0.1", "2001:db8::/32"].compactMap(AddressRange.init),
                    origins: ["https://app.example.com", "capacitor://localhost"]
                        .compactMap(PageOrigin.init),
                    allowedTags: [try TagPattern("news"), try TagPattern("city:*")],
                    senders: [try Username("ops")], audit: folder.path + "/audit.jsonl"))
        #expect(backend.proxies.count == 2)
    }
}
