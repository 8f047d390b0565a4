package import CampaignCore

/// Operations on rows of runs that differ between databases.
package protocol RunRows {
    // MARK: Staging

    func insert(_ people: [StagedPerson], of run: Int64) throws
    func insert(_ notifications: [StagedNotification], of run: Int64) throws
    /// The key of content that is not secret, which is stored once for all runs.
    func key(of content: [UInt8], in run: Int64) throws -> Int64
    /// Records whether a run has waves, after the waves were written or removed.
    func note(hasWaves: Bool, of run: StoredRun) throws
    /// Prepares for the deletion of everything that was staged for a run; may empty the run's own
    /// tables immediately.
    func beginAnew(_ run: Int64) throws

    // MARK: Sending

    /// Reads people of a run with their notifications, in the rows that ``ClaimQuery`` expects.
    ///
    /// - Parameters:
    ///   - page: selects `number`, `name`, `notification`, `attempts` and `is_uncertain` of the run
    ///     `?1`.
    ///   - isDense: whether there are usually few other people between the selected ones.
    func readPage(
        _ page: String, _ values: [any SQLBindable], isDense: Bool, of run: StoredRun,
        _ body: (any SQLRow) throws -> Void) throws
    /// Writes deliveries that have no row yet.
    func insert(
        _ records: [DeliveryRecord], of run: StoredRun, position: (Platform) throws -> Int) throws
    /// Changes deliveries of a run together with their checksums.
    ///
    /// - Parameter values: first those of the condition, then those of the assignments.
    func updateDeliveries(
        of run: Int64, set assignments: String, where condition: String,
        _ values: [any SQLBindable]) throws
    /// Inserts deliveries of a run together with their checksums.
    func insertDeliveries(of run: Int64, _ statement: String, _ values: [any SQLBindable]) throws
    /// Records which recipients were claimed, for processes that take over the run.
    func note(claimOf numbers: ClosedRange<Int>, of run: Int64, on position: Int) throws

    // MARK: Upkeep

    /// Changes rows of a run together with their checksums.
    func changing(_ rows: ChangedRows, of run: Int64, _ change: () throws -> Void) throws
    func reseal(_ sealed: [(number: Int, bytes: [UInt8])], of run: Int64) throws
    /// Keeps others from beginning a run until the transaction ends, if the database allows several
    /// writers at once.
    func keepRunsOut() throws
    /// Updates the lists of revoked notifications and used contents, if the database has them,
    /// after these notifications of a run were emptied.
    ///
    /// - Parameter isLast: whether this call empties the run's last notifications.
    func noteEmptied(_ numbers: ClosedRange<Int>, of run: Int64, isLast: Bool) throws
    /// Records, for purges, that a single notification of a run is about to be revoked.
    func noteRevoked(_ number: Int, of run: Int64) throws
    /// Whether most of a run's rows are in separate tables for that run.
    func hasOwnTables(_ run: Int64) -> Bool

    // MARK: Checking

    /// Tables with rows of runs that only this kind of store has.
    var furtherTables: [String] { get }
    /// For each table, the SQL condition for rows whose recipient, platform or process does not
    /// exist; `?1` is the run.
    var furtherStrangers: [(table: String, condition: String)] { get }
    /// Rows that refer to a missing row.
    func brokenReferences() throws -> [StoreDamage]
    /// Whether a staged run's people, payloads and outcomes are unchanged since they were written.
    ///
    /// - Parameter isThorough: whether to include expensive checks.
    func isWhole(_ run: StoredRun, recipients: Int, isThorough: Bool) throws -> Bool
    /// Whether a person who may still be sent to has no payload.
    func isPayloadLost(of run: StoredRun) throws -> Bool
}

extension RunRows {
    package func keepRunsOut() throws {}
    package func noteEmptied(_ numbers: ClosedRange<Int>, of run: Int64, isLast: Bool) throws {}
    package func noteRevoked(_ number: Int, of run: Int64) throws {}
    package func hasOwnTables(_ run: Int64) -> Bool { false }
    package var furtherTables: [String] { [] }
    package var furtherStrangers: [(table: String, condition: String)] { [] }
    package func brokenReferences() throws -> [StoreDamage] { [] }
    package func isPayloadLost(of run: StoredRun) throws -> Bool { false }
}

extension SQLConnection {
    package func reseal(_ sealed: [(number: Int, bytes: [UInt8])], of run: Int64) throws {
        try changing(.notifications(sealed.map(\.number)), of: run) {
            for (number, bytes) in sealed {
                try self.run(
                    "UPDATE notifications SET sealed = ?3 WHERE run = ?1 AND number = ?2",
                    [run, number, bytes])
            }
        }
    }
}

package struct StagedPerson {
    package let number: Int
    package let name: Username
    /// Which of the shared notifications the person gets.
    package let notification: Int
}

package struct StagedNotification {
    /// The recipient's number; 0 or less for a shared notification.
    package let number: Int
    package let notification: PreparedNotification
    /// The key of the content, unless the content is secret.
    package let content: Int64?
}

/// The rows of a run that are changed in its large tables.
package enum ChangedRows {
    case recipients([Int])
    case notifications([Int])
    /// All notifications of a run that will send nothing more.
    case anyNotification
    /// Any of the run's rows, which are being deleted.
    case any
}
