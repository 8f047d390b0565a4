/// When something goes wrong, and what.
package struct FaultRule: Sendable, Hashable {
    /// What goes wrong.
    package var effect: FaultEffect
    /// How many of the requests that the rest of the condition leaves, or of the devices: over 0, up to 1.
    package var share: Double
    /// The operations; devices have none.
    package var scope: FaultScope
    /// The push services; nil: all, and requests that are for none.
    package var platforms: Set<LocalHubPlatform>?
    /// The first request of the scope and platforms, counted from 1.
    package var first: Int
    /// The last one; nil: without end.
    package var last: Int?
    /// From the first on, only every so many-th request; 1: each.
    package var every: Int
    /// How long after the hub's start it begins, or after it was added while the hub ran.
    package var after: Duration
    /// How long after that it ends; nil: never.
    package var until: Duration?

    /// A rule that holds for every send.
    ///
    /// - Parameter effect: what goes wrong.
    package init(_ effect: FaultEffect) {
        self.effect = effect
        share = 1
        scope = .sends
        first = 1
        every = 1
        after = .zero
    }

    /// Whether a rule is about a request at all; only such requests are counted.
    func concerns(_ operation: HubOperation, _ platform: LocalHubPlatform?) -> Bool {
        guard effect != .wrongTokens, scope.contains(operation) else { return false }
        guard let platforms else { return true }
        return platform.map(platforms.contains) ?? false
    }

    /// Whether a rule holds for the request of a number at a time.
    ///
    /// - Parameters:
    ///   - number: which of the requests that the rule concerns, counted from 1.
    ///   - elapsed: how long there has been the rule.
    ///   - chance: the request's lot, 0 to 1, 1 excluded.
    /// - Returns: whether it holds.
    func holds(number: Int, elapsed: Duration, chance: Double) -> Bool {
        number >= first && last.map { number <= $0 } ?? true
            && (number - first).isMultiple(of: every)
            && isTime(elapsed) && chance < share
    }

    /// Whether a rule on devices holds for one of them at a time.
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - elapsed: how long there has been the rule.
    ///   - chance: the device's lot, 0 to 1, 1 excluded.
    /// - Returns: whether it holds.
    func holds(for device: DeviceAddress, elapsed: Duration, chance: Double) -> Bool {
        platforms?.contains(device.platform) ?? true && isTime(elapsed) && chance < share
    }

    private func isTime(_ elapsed: Duration) -> Bool {
        elapsed >= after && until.map { elapsed < $0 } ?? true
    }
}
