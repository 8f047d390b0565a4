import CampaignCore
import Storage

extension RunRecord {
    /// The run with its actual state; a `running` run without a process is paused.
    ///
    /// If the run has ended since it was read, the new state is returned.
    func withLiveState(in store: any Store) async -> RunRecord {
        guard state == .running else { return self }
        var seen = self
        do {
            // A process leaves a shared run shortly before it ends the run, so this checks twice.
            for _ in 0..<2 {
                if try await store.isWorkedOn(campaign: campaign) { return seen }
                guard let run = try await store.run(id) else { return seen }
                guard run.state == .running else { return run }
                seen = run
            }
        } catch {
            // If the lock cannot be checked, the stored state is the best guess.
            return seen
        }
        seen.state = .paused
        seen.reason =
            "Its process ended before the run was finished. The next run of the campaign continues it."
        return seen
    }
}
