package struct FaultRule: Sendable, Hashable {
    package var effect: FaultEffect
    /// The share of the matching requests, or of the devices: over 0, up to 1.
    package var share: Double
    /// The operations; unused for rules on devices.
    package var scope: FaultScope
    /// The push services; nil: all, and requests that are for none.
    package var platforms: Set<LocalHubPlatform>?
    /// The first matching request, counted from 1.
    package var first: Int
    /// The last one; nil: without end.
    package var last: Int?
    /// From the first on, only one of this many requests; 1: each.
    package var every: Int
    /// How long after the hub's start it begins, or after it was added while the hub ran.
    package var after: Duration
    /// How long after that it ends; nil: never.
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

    /// Whether a rule holds for the request of a number (from 1), given its random number from 0 up
    /// to 1, 1 excluded.
    func holds(number: Int, elapsed: Duration, chance: Double) -> Bool {
        number >= first && last.map { number <= $0 } ?? true
            && (number - first).isMultiple(of: every)
            && isTime(elapsed) && chance < share
    }

    /// Whether a rule on devices holds for one, given the device's random number from 0 up to 1, 1
    /// excluded.
    func holds(for device: DeviceAddress, elapsed: Duration, chance: Double) -> Bool {
        platforms?.contains(device.platform) ?? true && isTime(elapsed) && chance < share
    }

    private func isTime(_ elapsed: Duration) -> Bool {
        elapsed >= after && until.map { elapsed < $0 } ?? true
    }
}

package enum FaultEffect: Sendable, Hashable {
    /// Another answer, and no effect: a status of 400 to 599, with `Retry-After` in whole seconds.
    case answer(status: Int, retryAfter: Int?)
    /// The connection is closed without an answer, before or after the request took effect.
    case drop(takesEffect: Bool)
    /// There is no answer until the client goes away, before or after the request took effect.
    case hang(takesEffect: Bool)
    /// The answer comes later: by a time, and up to another time more, evenly spread.
    case latency(Duration, jitter: Duration)
    /// From this answer on, the connection lets only this many bytes a second through.
    case slow(bytesPerSecond: Int)
    /// The push service does not know the handle of a device any more: a share of all devices, always the
    /// same ones for a seed.
    case wrongTokens
}

package enum FaultScope: String, Sendable, Hashable, CaseIterable {
    /// Sends of every kind, including scheduled ones and their cancelling.
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
