import struct Foundation.Date

/// One installation as the hub keeps it (reference, section 7).
struct Installation: Sendable, Hashable, Codable {
    /// The id, unique in the hub.
    var id: String
    /// The push service.
    var platform: LocalHubPlatform
    /// The push service as the client named it.
    var platformName: String
    /// Where the push service reaches the device, in the form that the client gave.
    var pushChannel: JSONValue
    /// Where the push service reaches the device.
    var channel: PushChannel
    /// The plain tags, in the order given, without repeats.
    var tags: [String] = []
    /// The user id that `$UserId:{…}` finds.
    var userID: String?
    /// When it ends; nil: never.
    var expiration: Date?
    /// The fraction of that second in tenths of a microsecond; nil where there is none, and in state files of former
    /// versions.
    var expirationTicks: Int?
    /// The properties that its templates may use beside those of a send.
    var pushVariables: [String: String] = [:]
    /// The templates by name.
    var templates: [String: InstallationTemplate] = [:]
    /// The secondary tiles by id.
    var secondaryTiles: [String: SecondaryTile] = [:]

    /// Makes the installation of a simulated device.
    ///
    /// - Parameters:
    ///   - id: the id.
    ///   - platform: the push service.
    ///   - handle: what the push service knows the device by.
    ///   - tags: the tags.
    init(id: String, platform: LocalHubPlatform, handle: String, tags: [String]) {
        self.init(
            id: id, platform: platform,
            platformName: platform == .fcm ? "fcmV1" : platform.rawValue,
            pushChannel: .string(handle), channel: .handle(handle))
        self.tags = tags
    }

    /// Makes an installation.
    ///
    /// - Parameters:
    ///   - id: the id.
    ///   - platform: the push service.
    ///   - platformName: the push service as the client named it.
    ///   - pushChannel: where the push service reaches the device, as the client gave it.
    ///   - channel: the same, understood.
    init(
        id: String, platform: LocalHubPlatform, platformName: String, pushChannel: JSONValue,
        channel: PushChannel
    ) {
        self.id = id
        self.platform = platform
        self.platformName = platformName
        self.pushChannel = pushChannel
        self.channel = channel
    }

    /// Whether the installation has not expired.
    func isLive(at now: Date) -> Bool {
        expiration.map { $0 > now } ?? true
    }
}
