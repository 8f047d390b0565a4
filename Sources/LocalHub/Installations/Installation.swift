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
    init(id: String, platform: LocalHubPlatform, handle: String, tags: [String]) {
        self.init(
            id: id, platform: platform,
            platformName: platform == .fcm ? "fcmV1" : platform.rawValue,
            pushChannel: .string(handle), channel: .handle(handle))
        self.tags = tags
    }

    /// Makes an installation.
    ///
    /// `platformName` and `pushChannel` are what the client wrote, `platform` and `channel` what the hub understands by it.
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

/// A template of an installation or a secondary tile (reference, section 7).
struct InstallationTemplate: Sendable, Hashable, Codable {
    /// The body, with template expressions.
    var body: String
    /// The headers for the push service by name.
    var headers: [String: String] = [:]
    /// When Apple's pushes expire, as given.
    var expiry: String?
    /// The tags beside those of the installation; the template's name is one of them.
    var tags: [String] = []

    fileprivate func registrationTemplate(named name: String) -> RegistrationTemplate {
        RegistrationTemplate(
            body: body, name: name,
            headers: headers.sorted { $0.key < $1.key }
                .map { RegistrationTemplate.Header(name: $0.key, value: $0.value) },
            expiry: expiry)
    }
}

/// A secondary tile of a Windows app, with a channel of its own (reference, section 7).
struct SecondaryTile: Sendable, Hashable, Codable {
    /// The channel URI.
    var pushChannel: String
    /// The plain tags, in the order given, without repeats.
    var tags: [String] = []
    /// The templates by name.
    var templates: [String: InstallationTemplate] = [:]
}

extension Installation {
    /// The registrations of the installation: a native one and one for each template, and the
    /// same for each secondary tile (recorded; reference, section 6.5).
    ///
    /// Those that it stood for before and that stay keep their ids.
    func registrations(
        replacing known: [Registration], at now: Date, random: () -> UInt64
    ) -> [Registration] {
        var described = targets(channel: channel, tags: tags, templates: templates)
        for (name, tile) in secondaryTiles.sorted(by: { $0.key < $1.key }) {
            described += targets(
                channel: .tile(channelURI: tile.pushChannel, name: name), tags: tile.tags,
                templates: tile.templates)
        }
        let old = Dictionary(known.map { (Self.slot(of: $0), $0) }) { first, _ in first }
        return described.map { new in
            var registration = new
            let old = old[Self.slot(of: new)]
            registration.id = old?.id ?? RegistrationID.make(random)
            registration.version = (old?.version ?? 0) + 1
            registration.updated = now
            return registration
        }
    }

    private func targets(
        channel: PushChannel, tags: [String], templates: [String: InstallationTemplate]
    ) -> [Registration] {
        let native = registration(channel: channel, tags: tags, template: nil)
        return [native]
            + templates.sorted { $0.key < $1.key }.map { name, template in
                registration(
                    channel: channel, tags: tags + template.tags + [name],
                    template: template.registrationTemplate(named: name))
            }
    }

    private func registration(
        channel: PushChannel, tags: [String], template: RegistrationTemplate?
    ) -> Registration {
        var seen: Set<String> = []
        let special =
            [TagTerm.installation(id).text] + (userID.map { [TagTerm.user($0).text] } ?? [])
        return Registration(
            id: "", expiration: expiration, platform: platform, channel: channel,
            tags: (special + tags).filter { seen.insert($0).inserted },
            pushVariables: pushVariables, template: template, installationID: id)
    }

    /// What tells the registrations of one installation apart: the tile and the template.
    private static func slot(of registration: Registration) -> [String?] {
        if case .tile(_, let name) = registration.channel {
            return [name, registration.template?.name]
        }
        return [nil, registration.template?.name]
    }
}
