import struct Foundation.Date

extension HubState {
    /// Sends a notification: finds the targets, applies the push services' rules, delivers the
    /// pushes, and records the results for telemetry.
    ///
    /// `fault` can make all pushes to a device fail.
    @discardableResult
    mutating func deliver(
        _ send: SendRequest, id: String, enqueued: Date, now: Date, mostTargets: Int = .max,
        fault: (DeviceAddress) -> PushRefusal?
    ) -> [PushResult] {
        let targets = targets(of: send, at: now).prefix(mostTargets)
        var record = NotificationRecord(
            id: id, send: send, enqueued: enqueued, sent: now, wasScheduled: enqueued < now)
        var reached: Set<PushIdentity> = []
        var results: [PushResult] = []
        let first = devices.newestSequence + 1
        results.reserveCapacity(targets.count)
        for target in targets {
            let isNew = reached.insert(PushIdentity(target)).inserted
            let result =
                isNew
                ? push(
                    send, id: id, to: target, isFirst: results.isEmpty, at: now, fault: fault)
                : PushResult(target: target, refusal: .repeated)
            record.count(result)
            results.append(result)
        }
        counts.sends += 1
        if targets.isEmpty { counts.withoutTarget += 1 }
        record.messages = first..<devices.newestSequence + 1
        notifications.add(record)
        if !results.isEmpty { listeners.ringForAny() }
        return results
    }

    private mutating func push(
        _ send: SendRequest, id: String, to target: PushTarget, isFirst: Bool, at now: Date,
        fault: (DeviceAddress) -> PushRefusal?
    ) -> PushResult {
        let (headers, body, broken) = content(of: send, for: target)
        // All targets of a native send share one payload.
        let ownBytes = isFirst || send.content.platform == nil ? body.count : 0
        let refusal =
            target.refusal ?? .malformedAddress(target.device) ?? fault(target.device) ?? broken
        let push = ReceivedPush(
            notificationID: id, platform: target.device.platform, headers: headers, body: body,
            time: now, outcome: refusal?.outcome ?? .success, reason: refusal?.reason)
        let isKnown = devices.deliver(push, to: target.device, bytes: ownBytes)
        if isKnown, listeners.wantDevices {
            listeners.ring(for: registrations(showing: target.device))
        }
        if refusal == nil { counts.arrived += 1 } else { counts.refused += 1 }
        let result = PushResult(target: target, refusal: refusal)
        feedback.add(result, of: id, at: now)
        return result
    }

    private func content(
        of send: SendRequest, for target: PushTarget
    ) -> (headers: [String: String], body: [UInt8], refusal: PushRefusal?) {
        switch send.content {
        case .native(_, let refusal):
            return (send.headers, send.payload, refusal)
        case .template(let properties):
            // A template send targets only template registrations.
            guard let registration = target.registration, let template = registration.template
            else { return (send.headers, [], .dropped("The registration has no template.")) }
            let values = properties.merged(into: registration)
            let push = TemplatePush(
                template, on: registration.platform, headers: send.headers
            ) { Self.rendered($0, with: values) }
            return (push.headers, push.body, push.refusal)
        }
    }

    /// Replaces the expressions in some text; returns nil if the result would be too large.
    ///
    /// An invalid expression in a header or expiry is left unchanged, because these are not checked
    /// during registration.
    private static func rendered(_ text: String, with values: [String: String]) -> String? {
        do {
            return try TemplateBody(text).rendered(with: values)
        } catch {
            return text
        }
    }
}

extension HubState {
    /// The targets of a send, in the order of their registrations or of the handles in the send.
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
            // A direct send requires no registration, but an expired registration makes the handle
            // invalid.
            return PushTarget(
                device: device, registration: nil,
                refusal: known.isEmpty ? nil : .expiredAddress(on: platform))
        }
        return PushTarget(
            device: device, registration: registration,
            refusal: keysFit(channel, known)
                ? nil : .dropped("P256DH and Auth do not match the keys of the subscription."))
    }

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

struct PushTarget: Sendable {
    let device: DeviceAddress
    /// The registration; nil for a handle without a registration, which occurs only in direct
    /// sends.
    let registration: Registration?
    /// The reason why no push can reach the device.
    var refusal: PushRefusal?
}

struct PushResult: Sendable {
    let target: PushTarget
    /// The reason for a failure; nil if the push reached the device.
    let refusal: PushRefusal?

    var outcome: PushOutcome { refusal?.outcome ?? .success }
}

/// The identity of a push within a send: a device gets each payload, and the body of each template,
/// only once.
private struct PushIdentity: Hashable {
    private let device: DeviceAddress
    private let template: String?

    /// If two registrations have the same device and template name, the second is a duplicate.
    init(_ target: PushTarget) {
        device = target.device
        template = target.registration?.template.map { $0.name ?? "" }
    }
}
