public import struct Foundation.Date

/// An app on a device, stored at the hub under an id that the app chooses.
///
/// Hubs process installations asynchronously: it may take a moment until a change can be read.
public struct Installation: Sendable, Hashable {
    /// The id, chosen by the app: one path segment.
    public var id: String
    /// Where the push service reaches the device.
    public var channel: DeviceChannel
    /// The tags, up to 60.
    public var tags: [String] = []
    /// The user, addressed by the tag `$UserId:{…}`.
    public var userID: String?
    /// The properties that templates can use in addition to those of a message.
    public var pushVariables: [String: String] = [:]
    /// The templates by name.
    public var templates: [String: InstallationTemplate] = [:]
    /// The secondary tiles by id, for Windows.
    public var secondaryTiles: [String: SecondaryTile] = [:]
    /// When the hub deletes it; nil means never.
    public var expirationTime: Date?
    /// Whether the push service reported the handle as no longer valid.
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
    /// The id and the push service, without handle, tags or user.
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
    /// The size of the body.
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
    /// No channel.
    public var description: String { "SecondaryTile(channel hidden)" }
}
