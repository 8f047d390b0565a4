/// A summary of a hub's state, which changes whenever the hub does.
struct HubOverview: Encodable, Equatable {
    private enum CodingKeys: String, CodingKey {
        case hub, hubs, newest, kept, devices, revision, counts, faults, backend
        case hasPublishedKeys = "published_keys"
    }

    private struct Faults: Encodable, Equatable {
        let on: Bool
        let count: Int
        /// A number that changes whenever the rules or the switch change.
        let revision: Int
    }

    /// The app backend from which payloads can be fetched.
    private struct Backend: Encodable, Equatable {
        let url: String
        let user: String
    }

    /// The hub's name; null if all hubs were deleted.
    @NullWhenNil private var hub: String?
    private let hubs: [String]
    /// The number of the newest message; 0 before the first.
    private let newest: Int
    private let kept: Int
    private let devices: Int
    /// A number that changes whenever the devices, their tags or the scheduled sends change.
    private let revision: Int
    private let counts: LocalHubCounts
    /// Whether a rule has one of the published keys, which protect nothing.
    private let hasPublishedKeys: Bool
    private let faults: Faults
    /// The app backend; null if there is none.
    @NullWhenNil private var backend: Backend?

    /// Reads the state of a hub, if there is one; the lock is held only while the numbers are read.
    init(of hub: HubStore?, _ environment: HubEnvironment) {
        let faults = environment.faults.summary
        self.hub = hub?.name
        hasPublishedKeys = environment.hasPublishedKeys
        backend = environment.payloads.map { Backend(url: $0.address, user: $0.user) }
        hubs = environment.namespace.all.map(\.name)
        self.faults = Faults(
            on: faults.isOn, count: faults.count, revision: faults.revision)
        guard let hub else {
            (newest, kept, devices, revision, counts) = (0, 0, 0, 0, LocalHubCounts())
            return
        }
        (newest, kept, devices, revision, counts) = hub.update { state in
            (
                state.devices.newestSequence, state.devices.pushCount, state.devices.count,
                state.revision, state.counts
            )
        }
    }
}
