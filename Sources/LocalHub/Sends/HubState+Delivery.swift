import struct Foundation.Date

extension HubState {
    /// Sends: finds the targets, asks the push services' rules, fills the mailboxes and keeps what became
    /// of it for telemetry.
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
    /// A header or an expiry that only looks like an expression stays as it is: nobody checks those when they
    /// are registered.
    private static func rendered(_ text: String, with values: [String: String]) -> String? {
        do {
            return try TemplateBody(text).rendered(with: values)
        } catch {
            return text
        }
    }
}
