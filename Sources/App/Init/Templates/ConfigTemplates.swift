/// The starter config, and the devices of the local hub that it names.
enum ConfigTemplates {
    /// The config, with a hub on this machine and a comment on how to name a real one.
    static let config = """
        # Settings for all campaigns in this folder. Paths are relative to this file.

        # A hub built into hubsend: it listens on this machine only, reads its devices from this file, and sends nothing
        # to real phones.
        hub: { local: devices.yaml }

        # To use your own hub instead, name it here. Its connection string is a secret and does not belong in this folder: set
        # HUBSEND_HUB_CONNECTION_STRING, or the same name with _FILE.
        # hub: { name: my-hub }

        # The record of who was sent what, and the reports. Do not commit them.
        store: .hubsend/store.sqlite
        reports: .hubsend/reports

        # People who can get rehearsals without being in the audience.
        rehearsal: { testers: [alice] }

        """

    static let devices = """
        # The devices of the local hub. A user can have several devices; a push goes to each of them
        # on its platform.
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
