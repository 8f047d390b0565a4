/// The starter devices file: whom the local hub reaches.
enum DevicesTemplate {
    /// The file.
    static let text = """
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
