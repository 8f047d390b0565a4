package import CampaignCore

/// What `hubsend.yaml` says; its paths are resolved against its folder.
package struct Config: Sendable {
    /// The config's folder, beneath which campaigns name files.
    package let folder: String
    package let hub: HubSetting?
    /// The line that says which hub it is: the local one's, or that with the name; nil when neither is there.
    package let hubLine: Int?
    /// The path of the store's file.
    package let store: String?
    /// The path of the reports' folder.
    package let reports: String?
    /// The path of the folder for which `export:` stands in the paths of audience files.
    package let audiences: String?
    /// What binds all campaigns, and what they share.
    package let terms: CampaignTerms
    /// The settings of the app backend; nil where the config has none.
    package let backend: BackendSettings?
    /// Who may be sent a rehearsal although a campaign does not reach them.
    package let testers: Set<Username>
    /// Where the address is that is told of runs; a secret.
    package let heartbeat: SecretSource?
    /// The path of the file that figures of runs are written to.
    package let metrics: String?
    /// How long what is left of runs is kept.
    package let retention: RetentionTimes
}

/// How long what is left of a run is kept after its end; nil: for good.
package struct RetentionTimes: Hashable, Sendable {
    /// Its payloads.
    package var payloads: Duration?
    /// Who it went to, and what became of each delivery.
    package var deliveries: Duration?

    package init(payloads: Duration? = nil, deliveries: Duration? = nil) {
        self.payloads = payloads
        self.deliveries = deliveries
    }
}

/// Where a config says that a secret is.
package enum SecretSource: Hashable, Sendable {
    /// It stands in the config.
    case text(SecretText)
    /// A file that holds it; the path is resolved against the config's folder.
    case file(String)
    /// A command that prints it.
    case command(String)
}

/// Which hub a config names.
package enum HubSetting: Hashable, Sendable {
    /// An Azure notification hub; the first is its connection string, and `name` is nil where that has it.
    case remote(SecretSource?, name: String?)
    /// The local hub with the devices of a file; the path is resolved against the config's folder.
    case local(devices: String)
}

/// A text that no description and no dump shows.
package struct SecretText: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible,
    CustomReflectable
{
    /// The secret itself.
    package let value: String

    init(_ value: String) {
        self.value = value
    }

    package var description: String { "(hidden)" }
    package var debugDescription: String { "(hidden)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a config says about all campaigns beneath it: what binds them, and what they share.
package struct CampaignTerms: Sendable {
    package var limits: CampaignLimits
    /// nil where the config has no `defaults`.
    package var defaults: CampaignDefaults?

    /// The time zones that there are.
    package var zones: any TimeZoneDatabase

    package init(
        limits: CampaignLimits = CampaignLimits(), defaults: CampaignDefaults? = nil,
        zones: any TimeZoneDatabase = SystemTimeZones()
    ) {
        self.limits = limits
        self.defaults = defaults
        self.zones = zones
    }
}
