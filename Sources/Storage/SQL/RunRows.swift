package import CampaignCore

/// Operations on rows of runs that differ between databases.
package protocol RunRows {
    // MARK: Staging

    func insert(_ people: [StagedPerson], of run: Int64) throws
    func insert(_ notifications: [StagedNotification], of run: Int64) throws
    /// The key of content that is not secret, which is stored once for all runs.
    func key(of content: [UInt8], in run: Int64) throws -> Int64
    /// Records whether a run has waves, after they were written or removed.
    func note(hasWaves: Bool, of run: StoredRun) throws
    /// Prepares a run for the deletion of all that was staged; may empty tables of its own at once.
    func beginAnew(_ run: Int64) throws

    // MARK: Sending

    /// Reads people of a run with their notifications, as ``ClaimQuery`` takes the rows.
    ///
    /// - Parameters:
    ///   - page: selects `number`, `name`, `notification`, `attempts` and `is_uncertain` of the run
    ///     `?1`.
    ///   - isDense: usually few other people are between them.
    func readPage(
        _ page: String, _ values: [any SQLBindable], isDense: Bool, of run: StoredRun,
        _ body: (any SQLRow) throws -> Void) throws
    /// Writes deliveries that have no row yet.
    func insert(
        _ records: [DeliveryRecord], of run: StoredRun, position: (Platform) throws -> Int) throws
    /// Changes deliveries of a run together with their checksums.
    ///
    /// - Parameter values: the first ones belong to the condition, others to the assignments.
    func updateDeliveries(
        of run: Int64, set assignments: String, where condition: String,
        _ values: [any SQLBindable]) throws
    /// The same for a statement that inserts deliveries.
    func insertDeliveries(of run: Int64, _ statement: String, _ values: [any SQLBindable]) throws
    /// Records who was claimed, for processes that take over.
    func note(claimOf numbers: ClosedRange<Int>, of run: Int64, on position: Int) throws

    // MARK: Upkeep

    /// Changes rows of a run together with their checksums.
    func changing(_ rows: ChangedRows, of run: Int64, _ change: () throws -> Void) throws
    func reseal(_ sealed: [(number: Int, bytes: [UInt8])], of run: Int64) throws
    /// Keeps others from beginning a run until the transaction ends, where several may write at
    /// once.
    func keepRunsOut() throws
    /// Updates the lists of revoked notifications and used contents, if the database has them,
    /// after these notifications of a run were emptied.
    ///
    /// - Parameter isLast: this call empties the run's last notifications.
    func noteEmptied(_ numbers: ClosedRange<Int>, of run: Int64, isLast: Bool) throws
    /// Records, for purges, that a single notification of a run is about to be revoked.
    func noteRevoked(_ number: Int, of run: Int64) throws
    /// Whether most of a run's rows are in tables of its own.
    func hasOwnTables(_ run: Int64) -> Bool

    // MARK: Checking

    /// Tables of runs that the other stores do not have.
    var furtherTables: [String] { get }
    /// Rows without a recipient, platform or process of their run: tables with an SQL condition;
    /// `?1` is the run.
    var furtherStrangers: [(table: String, condition: String)] { get }
    /// Rows that refer to a missing row of a table in the schema.
    func brokenReferences() throws -> [StoreDamage]
    /// Whether a staged run's people, payloads and outcomes are unchanged since they were written.
    ///
    /// - Parameter isThorough: also reads what is expensive.
    func isWhole(_ run: StoredRun, recipients: Int, isThorough: Bool) throws -> Bool
    /// Whether somebody who may still be sent to has no payload.
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

/// Rows of a run in its large tables, some of them by their numbers.
package enum ChangedRows {
    case recipients([Int])
    case notifications([Int])
    /// All notifications of a run that sends nothing more.
    case anyNotification
    /// Any of its rows, which are being deleted.
    case any
}
