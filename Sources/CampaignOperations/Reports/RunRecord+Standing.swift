package import CampaignCore
package import Storage

extension RunRecord {
    /// The run as it really stands: a `running` run on which no process works was ended by a crash, and counts as paused.
    ///
    /// - Parameter store: the store with the run.
    /// - Returns: the run, paused in that case; if it has ended since it was read, as it stands now.
    package func standing(in store: any Store) async -> RunRecord {
        guard state == .running else { return self }
        var seen = self
        do {
            // A process that ends a shared run leaves it first, so that nobody works on it for a moment. That is why this looks twice.
            for _ in 0..<2 {
                if try await store.isWorkedOn(campaign: campaign) { return seen }
                guard let run = try await store.run(id) else { return seen }
                guard run.state == .running else { return run }
                seen = run
            }
        } catch {
            // Without access to the lock, that cannot be known, and what the store says counts.
            return seen
        }
        seen.state = .paused
        seen.reason =
            "Its process ended before the run did; the next run of the campaign continues it."
        return seen
    }
}
