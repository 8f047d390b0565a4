package import CampaignCore

/// What `hubsend.yaml` says; its paths are resolved against its folder.
package struct Config: Hashable, Sendable {
    /// The config's folder, beneath which campaigns name files.
    package let folder: String
    package let hub: HubSetting?
    /// The path of the store's file.
    package let store: String?
    /// The path of the reports' folder.
    package let reports: String?
    /// What binds all campaigns.
    package let limits: CampaignLimits
    /// What the app backend is like; nil where the config has no word of it.
    package let backend: BackendSettings?
    /// Who may be sent a rehearsal although a campaign does not reach them.
    package let testers: Set<Username>

    package init(
        folder: String, hub: HubSetting?, store: String?, reports: String?,
        limits: CampaignLimits = CampaignLimits(), backend: BackendSettings? = nil,
        testers: Set<Username> = []
    ) {
        self.folder = folder
        self.hub = hub
        self.store = store
        self.reports = reports
        self.limits = limits
        self.backend = backend
        self.testers = testers
    }
}
