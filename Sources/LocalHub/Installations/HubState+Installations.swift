extension HubState {
    /// Adds an installation, or replaces the one of the same id with all its registrations.
    ///
    /// - Parameters:
    ///   - installation: the installation.
    ///   - random: a source of 64 random bits, for the ids of its registrations.
    /// - Throws: a 403 when the hub keeps as many devices as it can; the old installation then stays.
    mutating func put(
        _ installation: Installation, random: () -> UInt64
    ) throws(HubFailure) {
        let old = registrations.registrations(ofInstallation: installation.id)
        let registration = Registration(
            id: old.first?.id ?? RegistrationID.make(random),
            version: (old.first?.version ?? 0) + 1,
            expiration: installation.expiration, platform: installation.platform,
            channel: installation.channel, tags: installation.allTags,
            installationID: installation.id)
        try put(registration)
        installations[installation.id] = installation
    }
}
