package import CampaignCore
package import Storage

extension RunRecord {
    /// The run as it really stands: a `running` one on which no process works was ended by a crash, and counts as paused.
    ///
    /// - Parameter store: where it is.
    /// - Returns: the run, paused in that case.
    package func standing(in store: any Store) async -> RunRecord {
        guard state == .running else { return self }
        do {
            if try await store.isWorkedOn(campaign: campaign) { return self }
        } catch {
            // Without access to the lock it cannot be told, and the store's word counts.
            return self
        }
        var seen = self
        seen.state = .paused
        seen.reason =
            "Its process ended before the run did; the next run of the campaign continues it."
        return seen
    }
}
