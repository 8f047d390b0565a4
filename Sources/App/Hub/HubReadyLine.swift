import CampaignCore
import LocalHub

enum HubReadyLine {
    /// The line that `hubsend hub --json` prints.
    ///
    /// If the keys are secret, no connection string is shown.
    static func object(_ address: LocalHubAddress, usesOwnKeys: Bool) -> JSONObject {
        [
            "hub": address.hubName, "inbox": address.loopbackURL.map { $0 + "/" },
            "http": [
                "url": address.httpURL,
                "connection_string": usesOwnKeys
                    ? nil : address.connectionString(.developmentFull),
            ] as JSONObject,
            "https": address.httpsURL.map { url in
                [
                    "url": url, "ca": address.authorityPEM,
                    "connection_string": usesOwnKeys
                        ? nil : address.tlsConnectionString(.developmentFull),
                ] as JSONObject
            },
        ]
    }
}
