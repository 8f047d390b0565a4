/// How a hub is, in a few numbers, as JSON shows it; two that differ tell that something has changed.
struct HubOverview: Encodable, Equatable {
    /// What the hub has done since it started.
    struct Counts: Encodable, Equatable {
        private enum CodingKeys: String, CodingKey {
            case sends, arrived, refused, cleared
            case withoutTarget = "without_target"
        }

        /// Sends that it took.
        let sends: Int
        /// Messages that reached a device.
        let arrived: Int
        /// Messages that a push service refused.
        let refused: Int
        /// Sends that no device matched.
        let withoutTarget: Int
        /// Messages that somebody cleared.
        let cleared: Int
    }

    /// What goes wrong by rule.
    struct Faults: Encodable, Equatable {
        /// Whether anything goes wrong at all.
        let on: Bool
        /// How many rules there are.
        let count: Int
    }

    /// The hub's name.
    let hub: String
    /// The names of all hubs of the namespace.
    let hubs: [String]
    /// The number of the newest message; 0: there was none.
    let newest: Int
    /// How many devices the hub knows.
    let devices: Int
    /// Another number whenever devices, their tags or scheduled sends are other ones.
    let revision: Int
    /// What the hub has done.
    let counts: Counts
    /// What goes wrong.
    let faults: Faults

    /// Looks at a hub; the lock is held for no longer than it takes to read some numbers.
    ///
    /// - Parameters:
    ///   - hub: the hub.
    ///   - environment: what all hubs share.
    init(of hub: HubStore, _ environment: HubEnvironment) {
        let faults = environment.faults.summary
        self.hub = hub.name
        hubs = environment.namespace.all.map(\.name)
        self.faults = Faults(on: faults.isOn, count: faults.count)
        (newest, devices, revision, counts) = hub.update { state in
            (
                state.devices.newestSequence, state.devices.count, state.revision,
                Counts(
                    sends: state.counts.sends, arrived: state.counts.arrived,
                    refused: state.counts.refused, withoutTarget: state.counts.withoutTarget,
                    cleared: state.counts.cleared)
            )
        }
    }
}
