import CampaignCore
import Storage

extension RunRecord {
    /// The run as it stands: one that is `running` although no process works on it was ended by a crash, and is paused.
    ///
    /// - Parameter path: the store's file.
    /// - Returns: the same run, or as paused.
    func standing(inStoreAt path: String) -> RunRecord {
        guard state == .running else { return self }
        do {
            if try StoreLock(ofStoreAt: path).isHeld(campaign: campaign) { return self }
        } catch {
            // Who may not touch the lock cannot tell, and sees what the store says.
            return self
        }
        var seen = self
        seen.state = .paused
        seen.reason =
            "Its process ended before the run did; the next run of the campaign continues it."
        return seen
    }
}
