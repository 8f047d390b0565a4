public import struct Foundation.Date

/// A device at the hub: how its push service reaches it, and the tags that address it.
public struct Registration: Sendable, Hashable {
    /// The id; nil until the hub has assigned one.
    public internal(set) var id: String?
    /// The version, an opaque text; nil until the hub has assigned one.
    public internal(set) var etag: String?
    /// When the hub deletes it; nil means never, or not known yet.
    public internal(set) var expirationTime: Date?
    /// How the push service reaches the device.
    public var channel: DeviceChannel
    /// The tags, up to 60; `$UserId:{…}` and `$InstallationId:{…}` may be among them.
    public var tags: [String]
    /// The properties that its template can use in addition to those of a message.
    public var pushVariables: [String: String]
    /// The template for template pushes; nil means that the device gets native pushes.
    public var template: RegistrationTemplate?

    /// The maximum number of tags.
    public static let tagLimit = 60

    /// Creates a registration; without a template the device gets native pushes.
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
    /// The id and the push service, without handle or tags.
    public var description: String {
        "Registration(\(id ?? "no id"), \(channel.service), \(tags.count) tags)"
    }

    /// Shows only the ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["id": id as Any, "etag": etag as Any, "channel": channel])
    }
}

/// A template for a device's pushes: a body with expressions such as `$(name)`, which no
/// description shows.
public struct RegistrationTemplate: Sendable, Hashable {
    /// A header that the push service gets with each push.
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
    /// The headers for Apple, Windows and Windows Phone; Windows needs `X-WNS-Type`.
    public var headers: [Header]
    /// When Apple's pushes expire, as a date or an expression.
    public var expiry: String?
    /// The priority of Apple's pushes, as a number or an expression.
    public var priority: String?
    /// The message type of Baidu's pushes.
    public var messageType: String?

    /// The maximum number of characters of a name.
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
