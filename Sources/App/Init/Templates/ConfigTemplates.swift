/// The starter config, and the devices of the local hub that it names.
enum ConfigTemplates {
    /// A hub on this machine, and how to name a real one.
    static let config = """
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

    /// The local hub's devices.
    static let devices = """
        # The devices that the local hub knows. A user may have several; a push goes to each that is of its platform.
        devices:
          - { user: alice, platform: apns }
          - { user: alice, platform: wns }
          - { user: bob, platform: fcm }
          - { user: carol, platform: apns }
          - { user: carol, platform: fcm }
          - { user: dan, platform: wns }
          - { user: frank, platform: fcm }

        """
}
