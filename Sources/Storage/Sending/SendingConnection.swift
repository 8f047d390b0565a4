package import CampaignCore

/// What databases do differently while a run is sent.
package protocol SendingConnection {
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

    /// Changes deliveries of a run, and with them what reveals damage to them.
    ///
    /// - Parameter values: the first ones belong to the condition, others to the assignments.
    func updateDeliveries(
        of run: Int64, set assignments: String, where condition: String,
        _ values: [any SQLBindable]) throws
    /// The same for a statement that inserts deliveries.
    func insertDeliveries(of run: Int64, _ statement: String, _ values: [any SQLBindable]) throws

    /// Records who was claimed, for processes that take over.
    func note(claimOf numbers: ClosedRange<Int>, of run: Int64, on position: Int) throws
}
