public import struct Foundation.Date

/// An app on a device, as the hub keeps it under an id that the app has chosen.
///
/// ```swift
/// var installation = Installation(id: deviceID, channel: .apple(deviceToken: token))
/// installation.tags = ["username:alice"]
/// try await client.put(installation)
/// ```
///
/// Hubs process installations after they have answered: what was written may be read back a moment
/// later.
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
    /// Whether the push service has said that the handle is no good any more.
    public internal(set) var isPushChannelExpired = false

    /// Describes an app on a device.
    ///
    /// - Parameters:
    ///   - id: the id: one path segment of the app's choice.
    ///   - channel: where the push service reaches the device.
    ///   - tags: up to 60 tags.
    ///   - userID: the user, found by `$UserId:{…}`.
    public init(id: String, channel: DeviceChannel, tags: [String] = [], userID: String? = nil) {
        self.id = id
        self.channel = channel
        self.tags = tags
        self.userID = userID
    }
}

extension Installation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Id and push service; no handle, no tag, no user.
    public var description: String {
        "Installation(\(id), \(channel.service), \(tags.count) tags)"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// What ``description`` says.
    public var customMirror: Mirror { Mirror(self, children: ["id": id, "channel": channel]) }
}
