package import CampaignCore
package import Storage

extension RunRecord {
    /// The run as it really stands: a `running` one on which no process works was ended by a crash, and counts as paused.
    ///
    /// - Parameter store: where it is.
    /// - Returns: the run, paused in that case; as it stands now where it has ended since it was read.
    package func standing(in store: any Store) async -> RunRecord {
        guard state == .running else { return self }
        var seen = self
        do {
            // Whoever ends a run that several work on leaves it first, and for a moment nobody works on it; so it is looked twice.
            for _ in 0..<2 {
                if try await store.isWorkedOn(campaign: campaign) { return seen }
                guard let run = try await store.run(id) else { return seen }
                guard run.state == .running else { return run }
                seen = run
            }
        } catch {
            // Without access to the lock it cannot be told, and the store's word counts.
            return seen
        }
        seen.state = .paused
        seen.reason =
            "Its process ended before the run did; the next run of the campaign continues it."
        return seen
    }
}
