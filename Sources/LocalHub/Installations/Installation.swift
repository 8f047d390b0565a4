import struct Foundation.Date

struct Installation: Sendable, Hashable, Codable {
    var id: String
    var platform: LocalHubPlatform
    /// The push service, as the client spelled it.
    var platformName: String
    /// The channel, in the form that the client sent.
    var pushChannel: JSONValue
    var channel: PushChannel
    /// The plain tags, in the order given and without duplicates.
    var tags: [String] = []
    /// The user id, which `$UserId:{…}` matches.
    var userID: String?
    /// When the installation expires; nil means never.
    var expiration: Date?
    /// The fraction of a second in `expiration`, in tenths of a microsecond; also nil if read from
    /// a state file of an earlier version.
    var expirationTicks: Int?
    /// The properties that its templates can use in addition to those of a send.
    var pushVariables: [String: String] = [:]
    var templates: [String: InstallationTemplate] = [:]
    var secondaryTiles: [String: SecondaryTile] = [:]
}

extension Installation {
    init(id: String, platform: LocalHubPlatform, handle: String, tags: [String]) {
        self.init(
            id: id, platform: platform,
            platformName: platform.installation,
            pushChannel: .string(handle), channel: .handle(handle))
        self.tags = tags
    }

    func isLive(at now: Date) -> Bool {
        expiration.map { $0 > now } ?? true
    }
}

struct InstallationTemplate: Sendable, Hashable, Codable {
    var body: String
    var headers: [String: String] = [:]
    /// When APNs pushes expire, as the client sent it.
    var expiry: String?
    /// Tags in addition to those of the installation; they include the template's name.
    var tags: [String] = []

    fileprivate func registrationTemplate(named name: String) -> RegistrationTemplate {
        RegistrationTemplate(
            body: body, name: name,
            headers: headers.sorted { $0.key < $1.key }
                .map { RegistrationTemplate.Header(name: $0.key, value: $0.value) },
            expiry: expiry)
    }
}

/// A secondary tile of a Windows app, with its own channel.
struct SecondaryTile: Sendable, Hashable, Codable {
    var pushChannel: String
    var tags: [String] = []
    var templates: [String: InstallationTemplate] = [:]
}

extension Installation {
    /// The registrations of the installation: one for native pushes and one per template, and the
    /// same for each tile.
    ///
    /// Registrations that already exist keep their ids.
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

    /// The tile and the template, which distinguish the registrations of one installation.
    private static func slot(of registration: Registration) -> [String?] {
        if case .tile(_, let name) = registration.channel {
            return [name, registration.template?.name]
        }
        return [nil, registration.template?.name]
    }
}
