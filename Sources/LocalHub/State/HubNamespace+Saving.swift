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

    /// Puts back what a state file kept; there is no hub yet.
    ///
    /// - Parameter saved: what the file kept.
    /// - Throws: a 403 when it is more than the limits allow, a 409 when two hubs have one name.
    func restore(_ saved: SavedState) throws(HubFailure) {
        for hub in saved.hubs {
            guard HubName.isValid(hub.name) else {
                throw .badRequest("A hub's name is no name.")
            }
            try createHub(named: hub.name, description: hub.description).restore(hub)
        }
    }
}
