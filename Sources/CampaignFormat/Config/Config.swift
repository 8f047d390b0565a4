package import CampaignCore

/// `hubsend.yaml`; its paths are resolved against its folder.
package struct Config: Sendable {
    /// Campaigns may use files below this folder.
    package let folder: String
    package let hub: HubSetting?
    /// The line of the local hub or of the hub's name; nil if there is neither.
    package let hubLine: Int?
    package let store: String?
    package let reports: String?
    /// The folder that `export:` refers to.
    package let audiences: String?
    package let terms: CampaignTerms
    package let backend: BackendSettings?
    /// People who may get a rehearsal of any campaign, even if they are not in its audience.
    package let testers: Set<Username>
    /// The address that reports of runs go to; a secret.
    package let heartbeat: SecretSource?
    /// The file that metrics of runs are written to.
    package let metrics: String?
    package let retention: RetentionTimes
}

/// How long the data of a run is kept after the run has ended; nil means forever.
package struct RetentionTimes: Hashable, Sendable {
    package var payloads: Duration?
    package var deliveries: Duration?

    package init(payloads: Duration? = nil, deliveries: Duration? = nil) {
        self.payloads = payloads
        self.deliveries = deliveries
    }
}

package enum SecretSource: Hashable, Sendable {
    case text(SecretText)
    case file(String)
    /// A command that prints the secret.
    case command(String)
}

package enum HubSetting: Hashable, Sendable {
    /// A connection string; `name` is nil if the string contains it.
    case remote(SecretSource?, name: String?)
    case local(devices: String)
}

/// A string that never appears in descriptions or dumps.
package struct SecretText: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible,
    CustomReflectable
{
    package let value: String

    init(_ value: String) {
        self.value = value
    }

    package var description: String { "(hidden)" }
    package var debugDescription: String { "(hidden)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// The settings of a config that apply to all campaigns below it.
package struct CampaignTerms: Sendable {
    package var limits: CampaignLimits
    package var defaults: CampaignDefaults?

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
