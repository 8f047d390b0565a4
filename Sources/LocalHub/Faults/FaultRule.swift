package struct FaultRule: Sendable, Hashable {
    package var effect: FaultEffect
    /// The fraction of the matching requests or devices, greater than 0 and at most 1.
    package var share: Double
    /// The operations; not used by rules for devices.
    package var scope: FaultScope
    /// The push services; nil means all requests, including those without a push service.
    package var platforms: Set<LocalHubPlatform>?
    /// The first matching request, counted from 1.
    package var first: Int
    /// The last matching request; nil means no limit.
    package var last: Int?
    /// The rule applies to every nth matching request, starting with `first`; 1 means every
    /// request.
    package var every: Int
    /// When the rule takes effect, measured from the start of the hub or from when the rule was
    /// added.
    package var after: Duration
    /// When the rule ends, measured in the same way; nil means never.
    package var until: Duration?

    package init(_ effect: FaultEffect) {
        self.effect = effect
        share = 1
        scope = .sends
        first = 1
        every = 1
        after = .zero
    }

    func concerns(_ operation: HubOperation, _ platform: LocalHubPlatform?) -> Bool {
        guard effect != .wrongTokens, scope.contains(operation) else { return false }
        guard let platforms else { return true }
        return platform.map(platforms.contains) ?? false
    }

    /// Whether the rule applies to a request, given its number (from 1) and its random number (at
    /// least 0, below 1).
    func holds(number: Int, elapsed: Duration, chance: Double) -> Bool {
        number >= first && last.map { number <= $0 } ?? true
            && (number - first).isMultiple(of: every)
            && isTime(elapsed) && chance < share
    }

    /// Whether a device rule applies to a device, given its random number (at least 0, below 1).
    func holds(for device: DeviceAddress, elapsed: Duration, chance: Double) -> Bool {
        platforms?.contains(device.platform) ?? true && isTime(elapsed) && chance < share
    }

    private func isTime(_ elapsed: Duration) -> Bool {
        elapsed >= after && until.map { elapsed < $0 } ?? true
    }
}

package enum FaultEffect: Sendable, Hashable {
    /// The request has no effect and gets a status from 400 to 599, with `Retry-After` in whole
    /// seconds.
    case answer(status: Int, retryAfter: Int?)
    /// The connection is closed without a response, before or after the request takes effect.
    case drop(takesEffect: Bool)
    /// No response is sent, whether or not the request takes effect; the connection stays open
    /// until the client closes it.
    case hang(takesEffect: Bool)
    /// The response is delayed by a time, plus evenly distributed jitter.
    case latency(Duration, jitter: Duration)
    /// From this response on, the connection sends at most this many bytes per second.
    case slow(bytesPerSecond: Int)
    /// The push service no longer knows the handles of some devices; the same seed always selects
    /// the same devices.
    case wrongTokens
}

package enum FaultScope: String, Sendable, Hashable, CaseIterable {
    /// Sends of every kind, including scheduling and cancelling.
    case sends
    case registrations
    case installations
    case telemetry
    case all

    func contains(_ operation: HubOperation) -> Bool {
        switch operation {
        case .send, .directSend, .batchSend, .testSend, .scheduleSend, .cancelScheduledSend:
            self == .sends || self == .all
        case .createRegistrationID, .createRegistration, .putRegistration, .registration,
            .deleteRegistration, .registrations, .registrationsByChannel, .registrationsByTag:
            self == .registrations || self == .all
        case .putInstallation, .patchInstallation, .installation, .deleteInstallation:
            self == .installations || self == .all
        case .telemetry, .feedbackContainer:
            self == .telemetry || self == .all
        case .entity, .createJob, .job, .jobs:
            self == .all
        }
    }
}
