extension HubStore {
    /// A copy of what a state file keeps of the hub; the lock is held for no longer than copying takes.
    ///
    /// Writes of installations that still wait have taken effect in it: they were answered.
    var saved: SavedState.Hub {
        var state = update { $0 }
        for waiting in state.pendingInstallations.map(\.due) {
            state.settleInstallations(at: waiting) { .random(in: .min ... .max) }
        }
        return SavedState.Hub(
            name: name, description: state.description,
            registrations: state.registrations.all, installations: state.installations,
            scheduled: state.scheduled.all)
    }

    /// Puts back what a state file kept of the hub; it is still empty.
    ///
    /// - Parameter saved: what the file kept.
    /// - Throws: a 403 when it is more than the limits allow.
    func restore(_ saved: SavedState.Hub) throws(HubFailure) {
        try update { state throws(HubFailure) in
            for registration in saved.registrations { try state.put(registration) }
            state.installations = saved.installations
            for send in saved.scheduled { try state.scheduled.add(send) }
        }
    }
}
