import CampaignCore

extension FileShape {
    /// `hubsend.yaml`.
    package static let config = FileShape(
        "config", title: "hubsend config",
        "The settings that the campaigns in a folder share: the hub, the store, limits and defaults. Paths are relative to this file's folder.",
        root: .config)
}

extension MappingShape {
    /// The maximum length of a list in a config; a longer list is a mistake.
    private static let mostItems = 1_000
    private static let list = ListBounds(atMost: mostItems)

    fileprivate static let config = MappingShape(
        [
            KeyShape(
                "hub", .mapping(.hub), examples: ["{ name: my-hub }"],
                "The hub that pushes are sent through: an Azure notification hub or the local hub."),
            KeyShape(
                "store", .text(.path), standard: ".hubsend/store.sqlite",
                "The store: a file, which must not be on a network file system, or the postgresql:// URI of a server, without a password."
            ),
            KeyShape(
                "reports", title: "Folder for reports", .text(.path), standard: ".hubsend/reports",
                "The folder for reports."),
            KeyShape(
                "audiences", title: "Folder of exports", .text(.path),
                examples: ["/srv/exports/audiences"],
                "The folder that export: refers to in campaigns, outside the repository. HUBSEND_AUDIENCES takes precedence."
            ),
            KeyShape(
                "backend", title: "App backend", .mapping(.backend),
                "The settings of hubsend serve."),
            KeyShape(
                "rehearsal", .mapping(.rehearsal), examples: ["{ testers: [alice, bob] }"],
                "The people who may get a rehearsal of any campaign with --to."),
            KeyShape(
                "limits", .mapping(.limits),
                examples: ["{ recipients: 50000, rate: 500/s, kinds: [secure, rich] }"],
                "Limits for all campaigns; no campaign can exceed them."),
            KeyShape(
                "defaults", .mapping(.defaults),
                examples: ["{ audience: { exclude: { files: [audiences/opted-out.txt] } } }"],
                "Values for keys that a campaign does not set. A value in a campaign takes precedence, mappings are merged key by key, and lists are replaced; people who are excluded here are excluded from every campaign."
            ),
            KeyShape(
                "retention", .mapping(.retention),
                examples: ["{ payloads: 30d, deliveries: 400d }"],
                "How long payloads and deliveries are kept after a run has ended. Without it, nothing is deleted automatically."
            ),
            KeyShape(
                "heartbeat", title: "Heartbeat address", .text(.any),
                examples: ["https://monitor.example/ping"],
                "An address that hubsend calls when a run begins, succeeds or fails. It is a secret; prefer HUBSEND_HEARTBEAT."
            ),
            KeyShape(
                "heartbeat_file", title: "File with the heartbeat address", .text(.path),
                examples: ["/run/secrets/heartbeat"],
                "A file that contains the heartbeat address. Only allowed in a config that is given with --config or HUBSEND_CONFIG."
            ),
            KeyShape(
                "heartbeat_command", title: "Command for the heartbeat address", .text(.any),
                examples: ["pass show heartbeat"],
                "A command that prints the heartbeat address. Only allowed in a config that is given with --config or HUBSEND_CONFIG."
            ),
            KeyShape(
                "metrics", title: "File with metrics", .text(.path),
                examples: ["/var/lib/prometheus/node-exporter/hubsend.prom"],
                "The file for metrics of runs, in Prometheus format."),
        ], relations: [.atMostOne(["heartbeat", "heartbeat_file", "heartbeat_command"])])

    private static let hub = MappingShape(
        [
            KeyShape(
                "connection_string", .text(.any), examples: ["\"Endpoint=sb://…\""],
                "The hub's connection string. It is a secret; prefer HUBSEND_HUB_CONNECTION_STRING."
            ),
            KeyShape(
                "connection_string_file", title: "File with the connection string", .text(.path),
                examples: ["/run/secrets/hub"],
                "A file that contains the connection string. Only allowed in a config that is given with --config or HUBSEND_CONFIG."
            ),
            KeyShape(
                "connection_string_command", title: "Command for the connection string",
                .text(.any), examples: ["pass show hub"],
                "A command that prints the connection string. Only allowed in a config that is given with --config or HUBSEND_CONFIG."
            ),
            KeyShape(
                "name", title: "Name of the hub", .text(.any), examples: ["spring"],
                "The hub's name, if the connection string does not contain it."),
            KeyShape(
                "local", title: "Devices of a local hub", .text(.path),
                examples: ["devices.yaml"],
                "A devices file. Starts the local hub with these devices for as long as a command runs."
            ),
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
            "Users who may get a rehearsal of any campaign with --to, even if they are not in its audience."
        )
    ])

    private static let limits = MappingShape([
        KeyShape(
            "recipients", title: "Maximum recipients", .integer(1...mostRecipients),
            examples: ["50000"],
            "The maximum number of people that one run of a campaign can reach."),
        KeyShape(
            "rate", title: "Highest rate", .text(.rate), examples: ["500/s"],
            "The highest rate. It also applies to campaigns that set no rate."),
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
            "The schemes that addresses may have besides https. Schemes that run code or open content on the device cannot be allowed."
        ),
    ])

    private static let retention = MappingShape([
        KeyShape(
            "payloads", title: "Time for payloads", .text(.days), examples: ["30d"],
            "The number of days from the end of a run until its payloads are deleted, 1d to 3660d; a payload is kept for as long as devices can fetch it."
        ),
        KeyShape(
            "deliveries", title: "Time for deliveries", .text(.days), examples: ["400d"],
            "The number of days from the end of a run until its recipients and outcomes are deleted, 1d to 3660d; totals are kept. Must not be less than payloads."
        ),
    ])

    // MARK: The app backend

    private static let backend = MappingShape([
        KeyShape(
            "listen", title: "Address", .text(.any), standard: "127.0.0.1:8080",
            "The address to listen on, host:port."),
        KeyShape(
            "users", title: "Password file", .text(.path), examples: ["users.htpasswd"],
            "A password file in htpasswd format."),
        KeyShape(
            "jwt", title: "Bearer tokens", .mapping(.tokens), "The bearer tokens that are accepted."
        ),
        KeyShape(
            "tls", title: "TLS", .mapping(.tls),
            examples: ["{ certificate: tls/chain.pem, key: tls/key.pem }"],
            "The server's certificate. Without it, the server speaks plain HTTP."),
        KeyShape(
            "proxies", .list(of: .text(.any), list), examples: ["[10.0.0.0/8, \"::1\"]"],
            "The addresses, or ranges of addresses, of proxies whose Forwarded and X-Forwarded headers are trusted."
        ),
        KeyShape(
            "origins", title: "Origins of web pages", .list(of: .text(.any), list),
            examples: ["[https://app.example.com, \"capacitor://localhost\"]"],
            "The origins of web pages and web views that may call the backend from another site (CORS). Other pages are refused."
        ),
        KeyShape(
            "allowed_tags", .list(of: .text(.any), list), examples: ["[news, \"city:*\"]"],
            "The tags that devices may request; * at the end matches any ending."),
        KeyShape(
            "senders", .list(of: .text(.username), list), examples: ["[ops]"],
            "Users who may send through the backend."),
        KeyShape(
            "audit", title: "Audit file", .text(.path), examples: ["audit.jsonl"],
            "The file for audit lines. Default: audit.jsonl next to the store."),
    ])

    private static let tls = MappingShape([
        KeyShape(
            "certificate", .text(.path), isRequired: true, examples: ["tls/chain.pem"],
            "The certificate in PEM, followed by its intermediate certificates."),
        KeyShape(
            "key", .text(.path), isRequired: true, examples: ["tls/key.pem"],
            "The certificate's private key in PEM."),
    ])

    private static let tokens = MappingShape(
        [
            KeyShape(
                "issuer", .text(.any), isRequired: true, examples: ["https://id.example.com"],
                "The iss that a token must have."),
            KeyShape(
                "audience", .text(.any), isRequired: true, examples: ["hubsend"],
                "The aud that a token must have, possibly among others."),
            KeyShape(
                "username_claim", .text(.any), standard: TokenRules.defaultUsernameClaim,
                "The claim that contains the username."),
            KeyShape(
                "longest_lifetime", .duration(), standard: "1d",
                "The longest time from a token's iat to its exp."),
            KeyShape(
                "leeway", .duration(upTo: .seconds(600)), standard: "30s",
                "How far the issuer's clock may be off, at most 10m."),
            KeyShape(
                "keys", .list(of: .mapping(.tokenKey), ListBounds(atLeast: 1, atMost: mostItems)),
                examples: ["[{ algorithm: ES256, file: keys/issuer.pem }]"],
                "The keys that verify tokens. Required without key_set."),
            KeyShape(
                "key_set", title: "Key set", .mapping(.tokenKeySet),
                examples: ["{ url: \"https://id.example.com/keys\", algorithms: [RS256] }"],
                "The set of keys that the issuer publishes (JWKS), to use instead of keys."),
        ], relations: [.exactlyOne(["keys", "key_set"])])

    private static let tokenKeySet = MappingShape(
        [
            KeyShape(
                "url", title: "Address", .text(.any), examples: ["https://id.example.com/keys"],
                "The https address from which the set is fetched and refreshed."),
            KeyShape(
                "file", .text(.path), examples: ["keys/issuer.json"],
                "The file that contains the set; it is read again when it changes."),
            KeyShape(
                "algorithms",
                .list(
                    of: .choice(
                        .all(TokenAlgorithm.self) { _ in "Uses a public key." }.filter {
                            TokenAlgorithm(rawValue: $0.word)?.isSymmetric == false
                        }),
                    ListBounds(atLeast: 1, isSet: true)),
                isRequired: true, examples: ["[RS256]"],
                "The algorithms that keys of the set may be used with; algorithms with a shared secret are refused."
            ),
        ], relations: [.exactlyOne(["url", "file"])])

    private static let tokenKey = MappingShape([
        KeyShape(
            "id", .text(.any), examples: ["\"2026-11\""],
            "The kid of the tokens that the key verifies; not required for a single key."),
        KeyShape(
            "algorithm",
            .choice(
                .all(TokenAlgorithm.self) {
                    $0.isSymmetric
                        ? "Uses a secret that the issuer and the backend share."
                        : "Uses a public key."
                }), isRequired: true, "The only algorithm that the key can be used with."),
        KeyShape(
            "file", .text(.path), isRequired: true, examples: ["keys/issuer.pem"],
            "The file that contains the key: a public key in PEM, or the secret for HMAC."),
    ])
}

extension MappingShape {
    /// A campaign's keys, without those that each campaign must set itself.
    static let defaults = MappingShape(
        campaign.keys.filter { !$0.isCampaignsOwn }.map { key in
            guard case .mapping(let section) = key.value else { return key.shared(key.value) }
            let keys = section.keys.filter { !$0.isCampaignsOwn }.map { $0.shared($0.value) }
            return key.shared(.mapping(MappingShape(keys)))
        })
}

extension KeyShape {
    fileprivate func shared(_ value: ValueShape) -> KeyShape {
        // The example is not used, because it may contain keys that only campaigns can have.
        let isSection = if case .mapping = value { true } else { false }
        return KeyShape(
            name, title: title, value, examples: isSection ? [] : examples, kinds: kinds,
            summary)
    }
}
