/// How a hub is, in a few numbers, as JSON shows it; two that differ tell that something has changed.
struct HubOverview: Encodable, Equatable {
    private enum CodingKeys: String, CodingKey {
        case hub, hubs, newest, kept, devices, revision, counts, faults, backend
        case hasPublishedKeys = "published_keys"
    }

    /// What the hub has done since it started.
    struct Counts: Encodable, Equatable {
        private enum CodingKeys: String, CodingKey {
            case sends, arrived, refused, cleared
            case withoutTarget = "without_target"
        }

        /// Sends that it took.
        var sends = 0
        /// Messages that reached a device.
        var arrived = 0
        /// Messages that a push service refused.
        var refused = 0
        /// Sends that no device matched.
        var withoutTarget = 0
        /// Messages that somebody cleared.
        var cleared = 0
    }

    /// What goes wrong by rule.
    struct Faults: Encodable, Equatable {
        /// Whether anything goes wrong at all.
        let on: Bool
        /// How many rules there are.
        let count: Int
        /// Another number whenever the rules or the switch are others.
        let revision: Int
    }

    /// The app backend whose payloads may be shown.
    struct Backend: Encodable, Equatable {
        /// Its address.
        let url: String
        /// Whose payloads it gives.
        let user: String
    }

    /// The hub's name; null when there is no hub any more.
    @NullWhenNil private var hub: String?
    /// The names of all hubs of the namespace.
    let hubs: [String]
    /// The number of the newest message; 0: there was none.
    let newest: Int
    /// How many messages are in mailboxes now.
    let kept: Int
    /// How many devices the hub knows.
    let devices: Int
    /// Another number whenever devices, their tags or scheduled sends are other ones.
    let revision: Int
    /// What the hub has done.
    let counts: Counts
    /// Whether a rule's key is one of the published ones, which protect nothing.
    let hasPublishedKeys: Bool
    /// What goes wrong.
    let faults: Faults
    /// The app backend; null when none is known.
    @NullWhenNil private var backend: Backend?

    /// Looks at a hub; the lock is held for no longer than it takes to read some numbers.
    ///
    /// - Parameters:
    ///   - hub: the hub; nil when there is none any more, and nothing to count.
    ///   - environment: what all hubs share.
    init(of hub: HubStore?, _ environment: HubEnvironment) {
        let faults = environment.faults.summary
        self.hub = hub?.name
        hasPublishedKeys = environment.hasPublishedKeys
        backend = environment.payloads.map { Backend(url: $0.address, user: $0.user) }
        hubs = environment.namespace.all.map(\.name)
        self.faults = Faults(
            on: faults.isOn, count: faults.count, revision: faults.revision)
        guard let hub else {
            (newest, kept, devices, revision, counts) = (0, 0, 0, 0, Counts())
            return
        }
        (newest, kept, devices, revision, counts) = hub.update { state in
            (
                state.devices.newestSequence, state.devices.pushCount, state.devices.count,
                state.revision,
                Counts(
                    sends: state.counts.sends, arrived: state.counts.arrived,
                    refused: state.counts.refused, withoutTarget: state.counts.withoutTarget,
                    cleared: state.counts.cleared)
            )
        }
    }
}
