public import struct Foundation.Date

/// An app on a device, kept by the hub under an id that the app has chosen.
///
/// Hubs process installations after they have answered: a write may be read back a moment later.
public struct Installation: Sendable, Hashable {
    /// The id: one path segment of the app's choice.
    public var id: String
    /// Where the push service reaches the device.
    public var channel: DeviceChannel
    /// The tags, up to 60.
    public var tags: [String] = []
    /// The user, found by `$UserId:{…}`.
    public var userID: String?
    /// The properties that templates may use beside those of a send.
    public var pushVariables: [String: String] = [:]
    /// The templates by name.
    public var templates: [String: InstallationTemplate] = [:]
    /// The secondary tiles by id, for Windows.
    public var secondaryTiles: [String: SecondaryTile] = [:]
    /// When the hub forgets it; nil: never.
    public var expirationTime: Date?
    /// Whether the push service has said that the handle is no longer valid.
    public internal(set) var isPushChannelExpired = false

    /// Describes an app on a device.
    public init(id: String, channel: DeviceChannel, tags: [String] = [], userID: String? = nil) {
        self.id = id
        self.channel = channel
        self.tags = tags
        self.userID = userID
    }
}

extension Installation: SecretHolder {
    /// Id and push service; no handle, no tag, no user.
    public var description: String { "Installation(\(id), \(channel.service), \(tags.count) tags)" }
}

/// A template of an installation; no description shows its body.
public struct InstallationTemplate: Sendable, Hashable, Codable {
    /// The body with expressions such as `$(message)`.
    public var body: String
    /// The headers for the push service, for Windows and Windows Phone.
    public var headers: [String: String]?
    /// When Apple's pushes expire, as a date or an expression.
    public var expiry: String?
    /// Tags beside those of the installation; the hub adds the template's name.
    public var tags: [String]?

    /// Makes a template.
    public init(
        body: String, headers: [String: String]? = nil, expiry: String? = nil,
        tags: [String]? = nil
    ) {
        self.body = body
        self.headers = headers
        self.expiry = expiry
        self.tags = tags
    }
}

extension InstallationTemplate: SecretHolder {
    /// How large the body is.
    public var description: String { "InstallationTemplate(\(body.utf8.count) bytes, hidden)" }
}

/// A secondary tile of a Windows app, with a channel of its own.
public struct SecondaryTile: Sendable, Hashable, Codable {
    /// The tile's channel URI; no description shows it.
    public var pushChannel: String
    /// The tile's tags.
    public var tags: [String]?
    /// The tile's templates by name.
    public var templates: [String: InstallationTemplate]?

    /// Makes a tile.
    public init(
        pushChannel: String, tags: [String]? = nil,
        templates: [String: InstallationTemplate]? = nil
    ) {
        self.pushChannel = pushChannel
        self.tags = tags
        self.templates = templates
    }
}

extension SecondaryTile: SecretHolder {
    /// No channel.
    public var description: String { "SecondaryTile(channel hidden)" }
}
