/// What databases do differently in a transaction that keeps a store in order.
package protocol UpkeepConnection {
    /// Changes some rows of a run, and with them what reveals damage to these rows.
    func changing(_ rows: ChangedRows, of run: Int64, _ change: () throws -> Void) throws

    /// Replaces encrypted parts of notifications, by their numbers.
    func reseal(_ sealed: [(number: Int, bytes: [UInt8])], of run: Int64) throws
    /// Keeps others from beginning a run until the transaction ends, where several may write at
    /// once.
    func keepRunsOut() throws
    /// Updates the lists of revoked notifications and used contents, if the database has them,
    /// after these notifications of a run were emptied.
    ///
    /// - Parameter isLast: nothing else of the run is to be emptied now.
    func noteEmptied(_ numbers: ClosedRange<Int>, of run: Int64, isLast: Bool) throws
    /// Notes that a notification of a run is about to be revoked alone, where a purge looks it up.
    func noteRevoked(_ number: Int, of run: Int64) throws
    /// Whether most of a run's rows are in tables of its own.
    func hasOwnTables(_ run: Int64) -> Bool
}

extension UpkeepConnection {
    package func keepRunsOut() throws {}
    package func noteEmptied(_ numbers: ClosedRange<Int>, of run: Int64, isLast: Bool) throws {}
    package func noteRevoked(_ number: Int, of run: Int64) throws {}
    package func hasOwnTables(_ run: Int64) -> Bool { false }
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

    /// Waits for others who write to a run, and keeps them out until the transaction ends.
    package func hold(_ run: Int64) throws {
        guard !dialect.forUpdate.isEmpty else { return }
        _ = try hasRow("SELECT 1 FROM runs WHERE key = ?1 \(dialect.forUpdate)", [run])
    }
}

/// Rows of a run in its large tables, as far as a change concerns them.
package enum ChangedRows {
    /// Recipients with these numbers.
    case recipients([Int])
    /// Notifications with these numbers: a recipient's own, or shared ones.
    case notifications([Int])
    /// All notifications of a run that sends nothing more.
    case anyNotification
    /// Any of its rows, which are being deleted.
    case any
}
