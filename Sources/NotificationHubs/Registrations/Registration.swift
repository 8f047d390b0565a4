public import struct Foundation.Date

/// A device that is registered with a hub: how its push service reaches it, and the tags that
/// address it.
public struct Registration: Sendable, Hashable {
    /// The id; nil until the hub has assigned one.
    public internal(set) var id: String?
    /// The version, an opaque string; nil until the hub has assigned one.
    public internal(set) var etag: String?
    /// When the hub deletes the registration; nil means never, or not known yet.
    public internal(set) var expirationTime: Date?
    /// How the push service reaches the device.
    public var channel: DeviceChannel
    /// The tags, up to 60, which can include `$UserId:{…}` and `$InstallationId:{…}`.
    public var tags: [String]
    /// The properties that the template can use in addition to those of a message.
    public var pushVariables: [String: String]
    /// The template for template pushes; nil means that the device gets native pushes.
    public var template: RegistrationTemplate?

    /// The maximum number of tags.
    public static let tagLimit = 60

    /// Creates a registration; without a template, the device gets native pushes.
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

extension Registration: SecretHolder {
    /// The id and the push service, without the handle or tags.
    public var description: String {
        "Registration(\(id ?? "no id"), \(channel.service), \(tags.count) tags)"
    }

    /// A mirror that shows only the ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["id": id as Any, "etag": etag as Any, "channel": channel])
    }
}

/// A template for the pushes to a device: a body with expressions such as `$(name)`; descriptions
/// do not show the body.
public struct RegistrationTemplate: Sendable, Hashable {
    /// A header that is sent to the push service with each push.
    public struct Header: Sendable, Hashable {
        /// The header's name, such as `X-WNS-Type`.
        public var name: String
        /// The header's value, which may contain expressions.
        public var value: String

        /// Creates a header.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The body with its expressions.
    public var body: String
    /// The template's name, up to 200 characters; it becomes a tag of the registration.
    public var name: String?
    /// The headers for Apple, Windows and Windows Phone; Windows requires `X-WNS-Type`.
    public var headers: [Header]
    /// When APNs pushes expire, as a date or an expression.
    public var expiry: String?
    /// The priority of APNs pushes, as a number or an expression.
    public var priority: String?
    /// The message type of Baidu pushes.
    public var messageType: String?

    /// The maximum length of a name in characters.
    public static let nameLimit = 200

    /// Creates a template.
    public init(
        body: String, name: String? = nil, headers: [Header] = [], expiry: String? = nil,
        priority: String? = nil, messageType: String? = nil
    ) {
        self.body = body
        self.name = name
        self.headers = headers
        self.expiry = expiry
        self.priority = priority
        self.messageType = messageType
    }
}

extension RegistrationTemplate: SecretHolder {
    /// The name, with the body hidden.
    public var description: String { "RegistrationTemplate(\(name ?? "unnamed"), body hidden)" }
}
