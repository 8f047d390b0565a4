import CampaignFormat

/// The names of all variables that hubsend looks at or sets; what another one of this prefix says is heard by nobody.
enum OwnVariables {
    /// What all of them begin with.
    static let prefix = "HUBSEND_"

    /// All of them.
    static let names: [String] =
        [
            "CONFIG", "STORE", "REPORTS", "HUB_NAME", "HUB_CA", "HUB_PROXY", "HUB_URL",
            "HUB_TLS_CONNECTION_STRING", "BACKEND",
        ].map { prefix + $0 }
        + [
            "HUB_CONNECTION_STRING", "PAYLOAD_KEY", "LOCAL_HUB_KEYS", "DEVICE_PASSWORD",
            "DEVICE_TOKEN",
        ]
        .flatMap { name in ["", "_FILE", "_COMMAND"].map { prefix + name + $0 } }

    /// What variables have in common that are about one thing; it is no part of what is compared.
    private static let families = ["HUB_", "DEVICE_", ""].map { prefix + $0 }

    /// The variable that a name was probably to be; nil where it is one of ours, or nobody's slip.
    static func meant(by name: String) -> String? {
        guard !names.contains(name), let family = families.first(where: name.hasPrefix) else {
            return nil
        }
        // Compared whole, short names of somebody else's would be near ours by what they begin with.
        let tails = names.filter { $0.hasPrefix(family) }.map {
            (name: $0, tail: $0.dropFirst(family.count).lowercased())
        }
        let nearest = NearestName.nearest(
            to: String(name.dropFirst(family.count)), among: tails.map(\.tail))
        return tails.first { $0.tail == nearest }?.name
    }
}
