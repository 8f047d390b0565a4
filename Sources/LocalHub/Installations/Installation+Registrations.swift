import struct Foundation.Date

extension Installation {
    /// The registrations that the installation stands for: a native one and one for each template, and the
    /// same for each secondary tile (recorded; reference, section 6.5).
    ///
    /// - Parameters:
    ///   - known: the registrations that it stood for until now; those that stay keep their ids.
    ///   - now: the hub's time.
    ///   - random: a source of 64 random bits, for the ids of new ones.
    /// - Returns: the registrations.
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
