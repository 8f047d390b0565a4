package import CampaignCore

/// What databases do differently while a run is staged.
package protocol StagingConnection {
    /// Writes people of a run.
    func insert(_ people: [StagedPerson], of run: Int64) throws
    /// Writes notifications of a run.
    func insert(_ notifications: [StagedNotification], of run: Int64) throws
    /// The key of content that is not secret, which is stored once for all runs.
    func key(of content: [UInt8], in run: Int64) throws -> Int64
    /// Notes whether a run has waves, after they were written or removed.
    func note(hasWaves: Bool, of run: StoredRun) throws
    /// Prepares a run for the deletion of all that was staged; may empty tables of its own at once.
    func beginAnew(_ run: Int64) throws
}

package struct StagedPerson {
    package let number: Int
    package let name: Username
    /// Which of the shared notifications they get.
    package let notification: Int
}

package struct StagedNotification {
    /// Its recipient's; 0 or less for a shared one.
    package let number: Int
    package let notification: PreparedNotification
    /// The key of its content, if that is not secret.
    package let content: Int64?
}
