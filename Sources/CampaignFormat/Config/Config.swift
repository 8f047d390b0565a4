/// What `hubsend.yaml` says; its paths are resolved against its folder.
package struct Config: Hashable, Sendable {
    /// The config's folder, beneath which campaigns name files.
    package let folder: String
    package let hub: HubSetting?
    /// The path of the store's file.
    package let store: String?
    /// The path of the reports' folder.
    package let reports: String?

    package init(folder: String, hub: HubSetting?, store: String?, reports: String?) {
        self.folder = folder
        self.hub = hub
        self.store = store
        self.reports = reports
    }
}
