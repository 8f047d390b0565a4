/// The starter config: a hub on this machine, and how to name a real one.
enum ConfigTemplate {
    /// The file.
    static let text = """
        # What the campaigns in this folder share. Paths count from this file's folder.

        # A hub inside hubsend itself: it listens on this machine only, takes its devices from the file, and sends nothing
        # to anybody's phone.
        hub: { local: devices.yaml }

        # Your own hub instead. Its connection string is a secret and stands in no file beside the campaigns: set
        # HUBSEND_HUB_CONNECTION_STRING, or the same name with _FILE.
        # hub: { name: my-hub }

        # What was sent to whom, and the reports about it. Not for git.
        store: .hubsend/store.sqlite
        reports: .hubsend/reports

        # Who may be sent a rehearsal, although the campaign is not for them.
        rehearsal: { testers: [alice] }

        """
}
