/// The content of a state file, version 1; it does not include received pushes, telemetry or
/// feedback.
struct SavedState: Codable, Equatable {
    static let format = "hubsend local hub state"
    /// The version that this code writes, which is also the newest that it reads.
    static let version = 1

    /// The start of a file, read before the rest.
    struct Head: Codable, Equatable {
        let format: String
        let version: Int
    }

    struct Hub: Codable, Equatable {
        let name: String
        let description: HubDescription
        /// The registrations in order, including those of installations.
        let registrations: [Registration]
        let installations: [String: Installation]
        let scheduled: [ScheduledSend]
    }

    var head = Head(format: SavedState.format, version: SavedState.version)
    var hubs: [Hub]
}

extension HubNamespace {
    var saved: SavedState { SavedState(hubs: all.map(\.saved)) }

    /// A value that changes whenever any data that the state file contains changes.
    var revision: [HubRevision] {
        all.map { hub in
            HubRevision(hub: ObjectIdentifier(hub), count: hub.update { $0.revision })
        }
    }

    /// Restores a state into an empty namespace; throws a 403 if it exceeds the limits, or a 409
    /// for a duplicate name.
    func restore(_ saved: SavedState) throws(HubFailure) {
        for hub in saved.hubs {
            guard HubName.isValid(hub.name) else {
                throw .badRequest("a hub's name is invalid")
            }
            try createHub(named: hub.name, description: hub.description).restore(hub)
        }
    }
}

extension HubStore {
    /// A copy of the hub's data for a state file, including accepted writes that have not taken
    /// effect yet.
    var saved: SavedState.Hub {
        var state = update { $0 }
        state.settleAllInstallations { .random(in: .min ... .max) }
        return SavedState.Hub(
            name: name, description: state.description,
            registrations: state.registrations.all, installations: state.installations,
            scheduled: state.scheduled.all)
    }

    /// Restores the state of an empty hub; throws a 403 if it exceeds the limits.
    func restore(_ saved: SavedState.Hub) throws(HubFailure) {
        try update { state throws(HubFailure) in
            try state.restore(saved.registrations, saved.installations)
            for send in saved.scheduled { try state.scheduled.add(send) }
        }
    }
}

struct HubRevision: Hashable, Sendable {
    /// A hub that was deleted and created again is treated as a different hub.
    let hub: ObjectIdentifier
    let count: Int
}
