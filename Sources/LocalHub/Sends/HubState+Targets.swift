import struct Foundation.Date

extension HubState {
    /// Whom a send is for, in the order of their registrations, or of the handles that it names.
    ///
    /// - Parameters:
    ///   - send: the send.
    ///   - now: the hub's time; a registration that has expired is no target.
    /// - Returns: the targets.
    func targets(of send: SendRequest, at now: Date) -> [PushTarget] {
        if case .channels(let channels) = send.audience, let platform = send.content.platform {
            return channels.map { target(of: $0, on: platform, at: now) }
        }
        let platform = send.content.platform
        return registrations.registrations(matching: send.audience.expression) { registration in
            registration.isLive(at: now)
                && (platform == nil
                    ? registration.template != nil
                    : registration.platform == platform && registration.template == nil)
        }.map { PushTarget(device: $0.device, registration: $0) }
    }

    private func target(
        of channel: PushChannel, on platform: LocalHubPlatform, at now: Date
    ) -> PushTarget {
        let device = DeviceAddress(platform: platform, handle: channel.handle)
        let known = registrations.registrations(of: device)
        guard let registration = known.first(where: { $0.isLive(at: now) }) else {
            // Direct senders need no registrations, so only one that has ended speaks against the handle.
            return PushTarget(
                device: device, registration: nil,
                refusal: known.isEmpty ? nil : .expiredAddress(on: platform))
        }
        return PushTarget(
            device: device, registration: registration,
            refusal: keysFit(channel, known)
                ? nil : .dropped("P256DH and Auth are not the keys of the subscription."))
    }

    /// Whether a browser can decrypt what is sent with the keys of a direct send.
    private func keysFit(_ channel: PushChannel, _ known: [Registration]) -> Bool {
        guard case .browser = channel else { return true }
        return known.contains { registration in
            if case .browser = registration.channel {
                registration.channel == channel
            } else {
                true
            }
        }
    }
}

extension Registration {
    /// Whether the registration has not expired.
    func isLive(at now: Date) -> Bool {
        expiration.map { $0 > now } ?? true
    }
}
