import struct Foundation.Date

/// One target of sends: a native or template registration, also each that an installation stands for.
struct Registration: Sendable, Hashable, Codable {
    /// The id, unique in the hub.
    var id: String
    /// The version, counted from 1.
    var version = 1
    /// When it last changed.
    var updated = Date(timeIntervalSince1970: 0)
    /// When it ends; nil: never.
    var expiration: Date?
    /// The push service.
    var platform: LocalHubPlatform
    /// Where the push service reaches the device.
    var channel: PushChannel
    /// The tags in the order given, without repeats.
    ///
    /// The special tags `$InstallationId:{…}` and `$UserId:{…}` are among them, and so is the name of an
    /// installation's template.
    var tags: [String]
    /// The properties that its template may use beside those of a send.
    var pushVariables: [String: String] = [:]
    /// The template; nil for a native registration.
    var template: RegistrationTemplate?
    /// The installation that it stands for; nil when a client registered it.
    var installationID: String?

    /// The device that it leads to.
    var device: DeviceAddress {
        DeviceAddress(platform: platform, handle: channel.handle)
    }
}
