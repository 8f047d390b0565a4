import CampaignCore
import Storage

extension RunRecord {
    /// The run as it really stands: one that is `running` without a process counts as paused.
    ///
    /// If the run has ended since it was read, its present state.
    func standing(in store: any Store) async -> RunRecord {
        guard state == .running else { return self }
        var seen = self
        do {
            // A process leaves a shared run before ending it, so this looks twice.
            for _ in 0..<2 {
                if try await store.isWorkedOn(campaign: campaign) { return seen }
                guard let run = try await store.run(id) else { return seen }
                guard run.state == .running else { return run }
                seen = run
            }
        } catch {
            // Without access to the lock, the store's state counts.
            return seen
        }
        seen.state = .paused
        seen.reason =
            "Its process ended before the run did; the next run of the campaign continues it."
        return seen
    }
}
