import Synchronization

/// All devices of the hub and what each of them received.
///
/// Every call is short and holds the lock for itself alone.
final class DeviceMailboxes: Sendable {
    private struct State {
        var index = InstallationIndex()
        var mailboxes: [Mailbox] = []
        var retention: PushRetention
        var counts = LocalHubCounts()
    }

    private let state: Mutex<State>
    private let mostDevices: Int
    private let pushesPerDevice: Int

    /// Makes a hub's devices.
    ///
    /// - Parameter limits: how much to keep.
    init(limits: LocalHubLimits) {
        state = Mutex(State(retention: PushRetention(limit: limits.pushesInAll)))
        mostDevices = limits.devices
        pushesPerDevice = limits.pushesPerDevice
    }

    /// Adds an installation, or replaces the one of the same id, which keeps its mailbox.
    ///
    /// - Throws: a 403 when the hub keeps as many devices as it can.
    func put(_ installation: Installation) throws(HubFailure) {
        let added = state.withLock { state in
            guard state.index.contains(id: installation.id) || state.mailboxes.count < mostDevices
            else { return false }
            if state.index.put(installation) == state.mailboxes.count {
                state.mailboxes.append(Mailbox())
                state.counts.devices += 1
            }
            return true
        }
        guard added else { throw .tooManyDevices }
    }

    /// Puts a push into the mailbox of every device that it is for.
    ///
    /// - Parameters:
    ///   - push: the push.
    ///   - expression: which devices it is for; nil: all of its platform.
    func deliver(_ push: ReceivedPush, to expression: TagExpression?) {
        state.withLock { state in
            let places = state.index.places(matching: expression, on: push.platform)
            state.counts.sends += 1
            if places.isEmpty { state.counts.withoutTarget += 1 }
            switch push.outcome {
            case .success: state.counts.arrived += places.count
            case .invalidNotificationSize: state.counts.refused += places.count
            }
            for place in places {
                let (sequence, oldest) = state.retention.take(for: place)
                if let oldest { state.mailboxes[oldest.mailbox].letGo(through: oldest.sequence) }
                state.mailboxes[place].add(push, sequence: sequence, limit: pushesPerDevice)
            }
        }
    }

    /// A user's devices with their mailboxes, in the order in which the hub came to know them.
    ///
    /// - Parameter user: the user's name: the devices with the tag `username:<user>` or this user id.
    /// - Returns: each device with its mailbox.
    func devices(of user: String) -> [(installation: Installation, mailbox: Mailbox)] {
        state.withLock { state in
            state.index.places(carrying: .tag(LocalHubDevice.tag(ofUser: user)))
                .union(state.index.places(carrying: .user(user)))
                .sorted()
                .map { (state.index.installations[$0], state.mailboxes[$0]) }
        }
    }

    /// What has happened since the start.
    var counts: LocalHubCounts {
        state.withLock(\.counts)
    }
}
