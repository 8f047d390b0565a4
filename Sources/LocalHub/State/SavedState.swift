/// What a state file holds, in version 1: everything about the hubs that clients put there.
///
/// What devices received, telemetry and feedback are not kept.
struct SavedState: Codable, Equatable {
    /// What tells a state file from any other JSON.
    static let format = "hubsend local hub state"
    /// The version that this code writes, and the newest that it reads.
    static let version = 1

    /// The format and version of a file, read before the rest.
    struct Head: Codable, Equatable {
        /// Always ``SavedState/format``.
        let format: String
        /// The version of the rest, from 1.
        let version: Int
    }

    /// One hub.
    struct Hub: Codable, Equatable {
        /// Its name as it was created.
        let name: String
        /// What its creator said about it.
        let description: HubDescription
        /// The registrations in their order, those of installations included.
        let registrations: [Registration]
        /// The installations by id.
        let installations: [String: Installation]
        /// The scheduled sends in the order of their times.
        let scheduled: [ScheduledSend]
    }

    /// What the file is.
    var head = Head(format: SavedState.format, version: SavedState.version)
    /// The hubs in the order of their names.
    var hubs: [Hub]
}

extension HubNamespace {
    /// A copy of what a state file keeps.
    var saved: SavedState {
        SavedState(hubs: all.map(\.saved))
    }

    /// How often each hub has changed what a state file keeps; equal only while nothing has.
    var revision: [HubRevision] {
        all.map { hub in
            HubRevision(hub: ObjectIdentifier(hub), count: hub.update { $0.revision })
        }
    }

    /// Restores what a state file kept, into a namespace without hubs.
    ///
    /// - Parameter saved: what the file kept.
    /// - Throws: a 403 when it is more than the limits allow, a 409 when two hubs have one name.
    func restore(_ saved: SavedState) throws(HubFailure) {
        for hub in saved.hubs {
            guard HubName.isValid(hub.name) else {
                throw .badRequest("the name of a hub is not valid")
            }
            try createHub(named: hub.name, description: hub.description).restore(hub)
        }
    }
}

extension HubStore {
    /// A copy of what a state file keeps of the hub; the lock is held for no longer than copying takes.
    ///
    /// Writes of installations that have not taken effect yet are in it, since they were answered.
    var saved: SavedState.Hub {
        var state = update { $0 }
        state.settleAllInstallations { .random(in: .min ... .max) }
        return SavedState.Hub(
            name: name, description: state.description,
            registrations: state.registrations.all, installations: state.installations,
            scheduled: state.scheduled.all)
    }

    /// Restores what a state file kept of the hub, which is still empty.
    ///
    /// - Parameter saved: what the file kept.
    /// - Throws: a 403 when it is more than the limits allow.
    func restore(_ saved: SavedState.Hub) throws(HubFailure) {
        try update { state throws(HubFailure) in
            try state.restore(saved.registrations, saved.installations)
            for send in saved.scheduled { try state.scheduled.add(send) }
        }
    }
}

/// A version of a hub, as far as a state file keeps it.
struct HubRevision: Hashable, Sendable {
    /// Which hub; a hub that was deleted and created again is another one.
    let hub: ObjectIdentifier
    /// How many changes there were.
    let count: Int
}
