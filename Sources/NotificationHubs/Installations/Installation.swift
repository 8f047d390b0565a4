public import struct Foundation.Date

/// An app on a device, stored in the hub under an id that the app chooses.
///
/// Hubs process installations asynchronously, so it may take a moment until a change is visible.
public struct Installation: Sendable, Hashable {
    /// The id, which the app chooses and which must be a single path segment.
    public var id: String
    /// The channel through which the push service reaches the device.
    public var channel: DeviceChannel
    /// The tags, up to 60.
    public var tags: [String] = []
    /// The user id, which the tag `$UserId:{…}` addresses.
    public var userID: String?
    /// The properties that templates can use in addition to those of a message.
    public var pushVariables: [String: String] = [:]
    /// The templates, by name.
    public var templates: [String: InstallationTemplate] = [:]
    /// The secondary tiles of a Windows app, by id.
    public var secondaryTiles: [String: SecondaryTile] = [:]
    /// When the hub deletes the installation; nil means never.
    public var expirationTime: Date?
    /// Whether the push service has reported that the handle is no longer valid.
    public internal(set) var isPushChannelExpired = false

    /// Creates an installation.
    public init(id: String, channel: DeviceChannel, tags: [String] = [], userID: String? = nil) {
        self.id = id
        self.channel = channel
        self.tags = tags
        self.userID = userID
    }
}

extension Installation: SecretHolder {
    /// The id and the push service, without the handle, tags or user.
    public var description: String { "Installation(\(id), \(channel.service), \(tags.count) tags)" }
}

/// A template of an installation; descriptions do not show its body.
public struct InstallationTemplate: Sendable, Hashable, Codable {
    /// The body with expressions such as `$(message)`.
    public var body: String
    /// The headers for the push service, only for Windows and Windows Phone.
    public var headers: [String: String]?
    /// When APNs pushes expire, as a date or an expression.
    public var expiry: String?
    /// Additional tags; the hub adds the template's name.
    public var tags: [String]?

    /// Creates a template.
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
    /// The size of the template, with the body hidden.
    public var description: String { "InstallationTemplate(\(body.utf8.count) bytes, hidden)" }
}

/// A secondary tile of a Windows app, with its own channel.
public struct SecondaryTile: Sendable, Hashable, Codable {
    /// The tile's channel URI; descriptions do not show it.
    public var pushChannel: String
    /// The tile's tags.
    public var tags: [String]?
    /// The tile's templates, by name.
    public var templates: [String: InstallationTemplate]?

    /// Creates a tile.
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
    /// A description without the channel.
    public var description: String { "SecondaryTile(channel hidden)" }
}
