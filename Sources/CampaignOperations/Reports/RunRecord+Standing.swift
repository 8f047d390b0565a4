package import CampaignCore
import Storage

extension RunRecord {
    /// The run as it really stands: a `running` one on which no process works was ended by a crash, and counts as paused.
    ///
    /// - Parameter path: the store's file.
    /// - Returns: the run, paused in that case.
    package func standing(inStoreAt path: String) -> RunRecord {
        guard state == .running else { return self }
        do {
            if try StoreLock(ofStoreAt: path).isHeld(campaign: campaign) { return self }
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
