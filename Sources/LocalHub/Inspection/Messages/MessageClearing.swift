/// Clears mailboxes, a slice at a time, so that no send waits for long.
struct MessageClearing {
    /// The hub.
    let hub: HubStore

    /// Clears all mailboxes of what is in them now.
    ///
    /// - Returns: how many messages went.
    func clearAll() -> Int {
        let newest = hub.update { $0.devices.newestSequence }
        var cleared = 0
        var isDone = false
        while !isDone {
            let slice = hub.update { state in
                let slice = state.devices.clear(through: newest, limit: LookBudget.slice)
                state.counts.cleared += slice.cleared
                return slice
            }
            cleared += slice.cleared
            isDone = slice.isDone
        }
        return cleared
    }

    /// Clears the mailboxes of a user's devices of what is in them now.
    ///
    /// - Parameter user: the user's name, compared exactly.
    /// - Returns: how many messages went.
    func clear(user: String) -> Int {
        let newest = hub.update { $0.devices.newestSequence }
        return UserPlaces.places(of: user, in: hub).reduce(0) { cleared, place in
            cleared
                + hub.update { state in
                    guard let registration = state.registrations[place],
                        InspectedDevices.user(user).include(registration)
                    else { return 0 }
                    let count = state.devices.clear(registration.device, through: newest)
                    state.counts.cleared += count
                    return count
                }
        }
    }
}
