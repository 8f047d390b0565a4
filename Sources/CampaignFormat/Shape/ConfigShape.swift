import CampaignCore

extension FileShape {
    /// `hubsend.yaml`.
    package static let config = FileShape(
        "config", title: "Config of hubsend",
        "Holds what the campaigns of a folder share: the hub, the store, and what binds them all. Paths are relative to its folder.",
        root: .config)
}

extension MappingShape {
    /// More items in a list of a config are a mistake.
    private static let mostItems = 1_000
    private static let list = ListBounds(atMost: mostItems)

    fileprivate static let config = MappingShape(
        [
            KeyShape(
                "hub", .mapping(.hub), examples: ["{ name: my-hub }"],
                "Where pushes go: an Azure notification hub, or the local one."),
            KeyShape(
                "store", .text(.path), standard: ".hubsend/store.sqlite",
                "The store's file, which must not lie on a network file system; or the postgresql:// URI of a server, without a password."
            ),
            KeyShape(
                "reports", title: "Folder for reports", .text(.path), standard: ".hubsend/reports",
                "The folder for reports."),
            KeyShape(
                "audiences", title: "Folder of exports", .text(.path),
                examples: ["/srv/exports/audiences"],
                "The folder that export: stands for in campaigns, outside of the repository. HUBSEND_AUDIENCES beats it."
            ),
            KeyShape(
                "backend", title: "App backend", .mapping(.backend), "What hubsend serve does."),
            KeyShape(
                "rehearsal", .mapping(.rehearsal), examples: ["{ testers: [alice, bob] }"],
                "Who may be sent any campaign with --to."),
            KeyShape(
                "limits", .mapping(.limits),
                examples: ["{ recipients: 50000, rate: 500/s, kinds: [secure, rich] }"],
                "What binds all campaigns; no campaign can widen it."),
            KeyShape(
                "defaults", .mapping(.defaults),
                examples: ["{ audience: { exclude: { files: [audiences/opted-out.txt] } } }"],
                "What campaigns share. A campaign's own value wins, mappings are joined key by key, lists are replaced; but who is excluded here is excluded from every campaign."
            ),
            KeyShape(
                "retention", .mapping(.retention),
                examples: ["{ payloads: 30d, deliveries: 400d }"],
                "How long payloads and deliveries are kept after a run has ended. Without it, nothing is deleted by itself."
            ),
            KeyShape(
                "heartbeat", title: "Heartbeat address", .text(.any),
                examples: ["https://monitor.example/ping"],
                "An address that is told when a run begins, succeeds or fails; a secret. Better leave it to HUBSEND_HEARTBEAT."
            ),
            KeyShape(
                "heartbeat_file", title: "File with the heartbeat address", .text(.path),
                examples: ["/run/secrets/heartbeat"],
                "A file that holds the heartbeat's address. It counts only in a config that --config or HUBSEND_CONFIG names."
            ),
            KeyShape(
                "heartbeat_command", title: "Command for the heartbeat address", .text(.any),
                examples: ["pass show heartbeat"],
                "A command that prints the heartbeat's address. It counts only in a config that --config or HUBSEND_CONFIG names."
            ),
            KeyShape(
                "metrics", title: "File with metrics", .text(.path),
                examples: ["/var/lib/prometheus/node-exporter/hubsend.prom"],
                "The file that figures of runs are written to, as Prometheus reads them."),
        ], relations: [.atMostOne(["heartbeat", "heartbeat_file", "heartbeat_command"])])

    private static let hub = MappingShape(
        [
            KeyShape(
                "connection_string", .text(.any), examples: ["\"Endpoint=sb://…\""],
                "The hub's connection string, a secret. Better leave it to HUBSEND_HUB_CONNECTION_STRING."
            ),
            KeyShape(
                "connection_string_file", title: "File with the connection string", .text(.path),
                examples: ["/run/secrets/hub"],
                "A file that holds the connection string. It counts only in a config that --config or HUBSEND_CONFIG names."
            ),
            KeyShape(
                "connection_string_command", title: "Command for the connection string",
                .text(.any), examples: ["pass show hub"],
                "A command that prints the connection string. It counts only in a config that --config or HUBSEND_CONFIG names."
            ),
            KeyShape(
                "name", title: "Name of the hub", .text(.any), examples: ["spring"],
                "The hub's name, where the connection string does not have it."),
            KeyShape(
                "local", title: "Devices of a local hub", .text(.path),
                examples: ["devices.yaml"],
                "A devices file: starts the local hub with them, for as long as a command runs."),
        ],
        relations: [
            .atMostOne([
                "connection_string", "connection_string_file", "connection_string_command", "local",
            ]), .atMostOne(["local", "name"]),
        ])

    private static let rehearsal = MappingShape([
        KeyShape(
            "testers", .list(of: .text(.username), list), isRequired: true,
            examples: ["[alice, bob]"],
            "Users who may be sent any campaign with --to, whether it reaches them or not.")
    ])

    private static let limits = MappingShape([
        KeyShape(
            "recipients", title: "Most recipients", .integer(1...mostRecipients),
            examples: ["50000"],
            "The most people that one sending of a campaign may reach."),
        KeyShape(
            "rate", title: "Highest rate", .text(.rate), examples: ["500/s"],
            "The highest rate. A campaign that names none keeps to it by itself."),
        KeyShape(
            "kinds",
            .list(
                of: .choice(.all(CampaignKind.self, \.summary)), ListBounds(atLeast: 1, isSet: true)
            ),
            examples: ["[secure, rich]"], "The kinds that campaigns may have."),
        KeyShape(
            "url_schemes", title: "Schemes of addresses",
            .list(of: .text(.scheme), ListBounds(atMost: mostItems, isSet: true)),
            examples: ["[myapp]"],
            "The schemes that addresses may have besides https. Schemes that run code or open what is on the device cannot be allowed."
        ),
    ])

    private static let retention = MappingShape([
        KeyShape(
            "payloads", title: "Time for payloads", .text(.days), examples: ["30d"],
            "How many days after the end of its run a payload is deleted, 1d to 3660d; as long as devices can fetch it, it stays."
        ),
        KeyShape(
            "deliveries", title: "Time for deliveries", .text(.days), examples: ["400d"],
            "How many days after the end of a run is deleted who it went to and what became of it, 1d to 3660d; sums stay. Not less than payloads."
        ),
    ])

    // MARK: The app backend

    private static let backend = MappingShape([
        KeyShape(
            "listen", title: "Address", .text(.any), standard: "127.0.0.1:8080",
            "The address to listen on, host:port."),
        KeyShape(
            "users", title: "Password file", .text(.path), examples: ["users.htpasswd"],
            "A password file in htpasswd form."),
        KeyShape("jwt", title: "Bearer tokens", .mapping(.tokens), "Which bearer tokens are good."),
        KeyShape(
            "tls", title: "TLS", .mapping(.tls),
            examples: ["{ certificate: tls/chain.pem, key: tls/key.pem }"],
            "The server's certificate. Without it the server speaks plain HTTP."),
        KeyShape(
            "proxies", .list(of: .text(.any), list), examples: ["[10.0.0.0/8, \"::1\"]"],
            "The addresses, or ranges of addresses, of proxies whose Forwarded and X-Forwarded headers count."
        ),
        KeyShape(
            "origins", title: "Origins of web pages", .list(of: .text(.any), list),
            examples: ["[https://app.example.com, \"capacitor://localhost\"]"],
            "The origins of web pages and web views that may call the backend from elsewhere (CORS). Nobody else's page may."
        ),
        KeyShape(
            "allowed_tags", .list(of: .text(.any), list), examples: ["[news, \"city:*\"]"],
            "The tags that devices may ask for; * at the end takes in all that begin so."),
        KeyShape(
            "senders", .list(of: .text(.username), list), examples: ["[ops]"],
            "Users who may send through the backend."),
        KeyShape(
            "audit", title: "Audit file", .text(.path), examples: ["audit.jsonl"],
            "The file that audit lines go to. Default: audit.jsonl beside the store."),
    ])

    private static let tls = MappingShape([
        KeyShape(
            "certificate", .text(.path), isRequired: true, examples: ["tls/chain.pem"],
            "The certificate in PEM, followed by those that lead to its authority."),
        KeyShape(
            "key", .text(.path), isRequired: true, examples: ["tls/key.pem"], "Its key in PEM."),
    ])

    private static let tokens = MappingShape(
        [
            KeyShape(
                "issuer", .text(.any), isRequired: true, examples: ["https://id.example.com"],
                "The iss that a token must have."),
            KeyShape(
                "audience", .text(.any), isRequired: true, examples: ["hubsend"],
                "The aud that a token must have, among others maybe."),
            KeyShape(
                "username_claim", .text(.any), standard: TokenRules.defaultUsernameClaim,
                "The claim that is the username."),
            KeyShape(
                "longest_lifetime", .duration(), standard: "1d",
                "The longest time from a token's iat to its exp."),
            KeyShape(
                "leeway", .duration(upTo: .seconds(600)), standard: "30s",
                "How far the issuer's clock may be off, at most 10m."),
            KeyShape(
                "keys", .list(of: .mapping(.tokenKey), ListBounds(atLeast: 1, atMost: mostItems)),
                examples: ["[{ algorithm: ES256, file: keys/issuer.pem }]"],
                "The keys that tokens are checked with. Without key_set there has to be one."),
            KeyShape(
                "key_set", title: "Key set", .mapping(.tokenKeySet),
                examples: ["{ url: \"https://id.example.com/keys\", algorithms: [RS256] }"],
                "The keys that the issuer publishes (JWKS), in the place of keys."),
        ], relations: [.exactlyOne(["keys", "key_set"])])

    private static let tokenKeySet = MappingShape(
        [
            KeyShape(
                "url", title: "Address", .text(.any), examples: ["https://id.example.com/keys"],
                "Where the set is fetched, and fetched again: an address with https."),
            KeyShape(
                "file", .text(.path), examples: ["keys/issuer.json"],
                "The file that holds the set, read again when it changes."),
            KeyShape(
                "algorithms",
                .list(
                    of: .choice(
                        .all(TokenAlgorithm.self) { _ in "With a public key." }.filter {
                            TokenAlgorithm(rawValue: $0.word)?.isSymmetric == false
                        }),
                    ListBounds(atLeast: 1, isSet: true)),
                isRequired: true, examples: ["[RS256]"],
                "What keys of the set may be used with; an algorithm with a shared secret is refused."
            ),
        ], relations: [.exactlyOne(["url", "file"])])

    private static let tokenKey = MappingShape([
        KeyShape(
            "id", .text(.any), examples: ["\"2026-11\""],
            "The kid of the tokens that it checks; the only key needs none."),
        KeyShape(
            "algorithm",
            .choice(
                .all(TokenAlgorithm.self) {
                    $0.isSymmetric
                        ? "With a secret that issuer and backend share." : "With a public key."
                }), isRequired: true, "The one algorithm that the key is for."),
        KeyShape(
            "file", .text(.path), isRequired: true, examples: ["keys/issuer.pem"],
            "The file that holds it: a public key in PEM, or for HMAC the secret."),
    ])
}

extension MappingShape {
    /// A campaign's keys, without those that each campaign must say itself.
    static let defaults = MappingShape(
        campaign.keys.filter { !$0.isCampaignsOwn }.map { key in
            guard case .mapping(let section) = key.value else { return key.shared(key.value) }
            let keys = section.keys.filter { !$0.isCampaignsOwn }.map { $0.shared($0.value) }
            return key.shared(.mapping(MappingShape(keys)))
        })
}

extension KeyShape {
    fileprivate func shared(_ value: ValueShape) -> KeyShape {
        // A section's example may have keys that only campaigns have.
        let isSection = if case .mapping = value { true } else { false }
        return KeyShape(
            name, title: title, value, examples: isSection ? [] : examples, kinds: kinds,
            summary)
    }
}
