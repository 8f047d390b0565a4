import struct Foundation.Date

extension HubState {
    /// Sends: finds the targets, asks the push services' rules, hands the pushes to the devices and
    /// keeps the results for telemetry.
    ///
    /// - Parameters:
    ///   - send: the send.
    ///   - id: its id.
    ///   - enqueued: when the hub took it.
    ///   - now: the hub's time.
    ///   - mostTargets: how many targets to take at most.
    ///   - fault: a refusal that was decided on for a device whatever the push says.
    /// - Returns: what became of each push.
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
        let refusal = target.refusal ?? fault(target.device) ?? broken
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

    /// What goes to a target, and why its push service refuses it.
    private func content(
        of send: SendRequest, for target: PushTarget
    ) -> (headers: [String: String], body: [UInt8], refusal: PushRefusal?) {
        switch send.content {
        case .native(_, let refusal):
            return (send.headers, send.payload, refusal)
        case .template(let properties):
            // Only template registrations are targets of a template send.
            guard let registration = target.registration, let template = registration.template
            else { return (send.headers, [], .dropped("The registration has no template.")) }
            let values = properties.merged(into: registration)
            let push = TemplatePush(
                template, on: registration.platform, headers: send.headers
            ) { Self.rendered($0, with: values) }
            return (push.headers, push.body, push.refusal)
        }
    }

    /// A text with its expressions replaced; nil when it would be too large.
    ///
    /// A header or an expiry that only looks like an expression stays as it is: those are not checked at
    /// registration.
    private static func rendered(_ text: String, with values: [String: String]) -> String? {
        do {
            return try TemplateBody(text).rendered(with: values)
        } catch {
            return text
        }
    }
}

extension HubState {
    /// The targets of a send that have not expired, in the order of their registrations, or of the handles that it names.
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
            // A direct send needs no registration; only one that has expired makes the handle invalid.
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

/// One device that a send is for, and how it was found.
struct PushTarget: Sendable {
    let device: DeviceAddress
    /// The registration that leads to it; nil for a handle without one, which only direct sends name.
    let registration: Registration?
    /// Why nothing can reach it; nil when a push can.
    var refusal: PushRefusal?
}

/// What became of one push of a send.
struct PushResult: Sendable {
    /// Whom it was for.
    let target: PushTarget
    /// Why it did not reach the device; nil when it did.
    let refusal: PushRefusal?

    /// What the push service made of it.
    var outcome: PushOutcome { refusal?.outcome ?? .success }
}

/// The identity of a push within one send: a device gets the payload once, but the body of each of its templates.
private struct PushIdentity: Hashable {
    private let device: DeviceAddress
    private let template: String?

    /// Names the push of a target; of two registrations with one device and one template name, the second is a repeat.
    init(_ target: PushTarget) {
        device = target.device
        template = target.registration?.template.map { $0.name ?? "" }
    }
}
