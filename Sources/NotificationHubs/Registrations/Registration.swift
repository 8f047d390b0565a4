public import struct Foundation.Date

/// A device at the hub: where its push service reaches it, and by which tags it is found.
///
/// ```swift
/// let kept = try await client.create(
///     Registration(channel: .apple(deviceToken: token), tags: ["username:alice"]))
/// ```
public struct Registration: Sendable, Hashable {
    /// The hub's id; nil until the hub has given one.
    public internal(set) var id: String?
    /// The version, an opaque text; nil until the hub has given one.
    public internal(set) var etag: String?
    /// When the hub forgets it; nil: never, or not known yet.
    public internal(set) var expirationTime: Date?
    /// Where the push service reaches the device.
    public var channel: DeviceChannel
    /// The tags, up to 60; `$UserId:{…}` and `$InstallationId:{…}` may be among them.
    public var tags: [String]
    /// The properties that its template may use beside those of a send.
    public var pushVariables: [String: String]
    /// What the device gets of a template send; nil: it gets native sends.
    public var template: RegistrationTemplate?

    /// The most tags (reference: section 4).
    public static let tagLimit = 60

    /// Describes a device that is to be registered.
    ///
    /// - Parameters:
    ///   - channel: where the push service reaches it.
    ///   - tags: up to 60 tags.
    ///   - pushVariables: the properties that its template may use.
    ///   - template: what it gets of a template send; nil for native sends.
    public init(
        channel: DeviceChannel, tags: [String] = [], pushVariables: [String: String] = [:],
        template: RegistrationTemplate? = nil
    ) {
        self.channel = channel
        self.tags = tags
        self.pushVariables = pushVariables
        self.template = template
    }
}

extension Registration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Id and push service; no handle, no tag.
    public var description: String {
        "Registration(\(id ?? "no id"), \(channel.service), \(tags.count) tags)"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// What ``description`` says.
    public var customMirror: Mirror {
        Mirror(self, children: ["id": id as Any, "etag": etag as Any, "channel": channel])
    }
}
