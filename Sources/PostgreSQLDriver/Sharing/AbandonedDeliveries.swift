import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage

/// A run's claimed deliveries that have no outcome and no process; they may have been sent.
struct AbandonedDeliveries: Sendable {
    let run: Int64
    /// What becomes of them.
    let state: DeliveryState
    let detail: String?
    /// In milliseconds.
    let time: Int64

    struct Step: Sendable {
        let count: Int
        /// The platform's place in the run and the number of one of them.
        let sample: (position: Int, number: Int)?
    }

    init(of run: Int64, as state: DeliveryRecord.State, detail: String, at time: Date) {
        self.run = run
        self.state = DeliveryState(state)
        self.detail = detail.isEmpty ? nil : StoredText.encode(detail)
        self.time = StoredTime.milliseconds(time)
    }

    /// Settles a page, or the beginning of a long one; nil when nobody else leaves one.
    func settlePage(_ db: PostgreSQLConnection) throws -> Step? {
        guard let page = try ClaimedPages.lockAbandoned(of: run, db) else { return nil }
        let numbers = page.numbers
        let last = min(numbers.upperBound, numbers.lowerBound + TransactionLimit.rows - 1)
        let settled = try db.rows(
            Self.unwritten,
            [
                run, page.position, numbers.lowerBound, last, state.rawValue, detail, time,
            ])
        try ClaimedPages.cut(page, through: last, of: run, db)
        return try step(settled, on: page.position)
    }

    /// Settles some deliveries that had waited and were claimed again; nil when nobody else leaves
    /// one.
    func settleSending(on position: Int, _ db: PostgreSQLConnection) throws -> Step? {
        let settled = try db.rows(
            Self.sending,
            [run, position, state.rawValue, detail, time, TransactionLimit.rows])
        return settled.isEmpty ? nil : try step(settled, on: position)
    }

    /// Whether a transaction whose answer was lost was committed.
    func isDone(_ step: Step, _ db: PostgreSQLConnection) throws -> Bool {
        guard let sample = step.sample else { return false }
        return try db.row(
            """
            SELECT 1 FROM deliveries
            WHERE run = $1 AND platform = $2 AND number = $3 AND recorded = $4
                AND state <> \(DeliveryState.sending.rawValue)
            """, [run, sample.position, sample.number, time]) != nil
    }

    private func step(_ settled: [PostgreSQLRow], on position: Int) throws -> Step {
        Step(
            count: settled.count,
            sample: try settled.first.map { (position: position, number: try $0.int(0)) })
    }

    /// Settles the people of a page without a row; withheld, skipped or forgotten people have one.
    private static let unwritten = """
        INSERT INTO deliveries (run, platform, number, state, attempts, is_uncertain, recorded,
            detail)
        SELECT $1, $2, r.number, $5::smallint, 1, true, $7, $6
        FROM recipients r
        WHERE r.run = $1 AND r.number >= $3 AND r.number <= $4
            AND r.number NOT IN (
                SELECT number FROM deliveries
                WHERE run = $1 AND platform = $2 AND number >= $3 AND number <= $4
            )
        ORDER BY r.number
        ON CONFLICT (run, platform, number) DO NOTHING
        RETURNING number
        """

    /// Settles `sending` deliveries of nobody, found by number, whatever the server's statistics.
    private static let sending = """
        UPDATE deliveries
        SET state = $3::smallint, attempts = attempts + 1, is_uncertain = true, recorded = $5,
            detail = $4, hub_message = NULL
        WHERE run = $1 AND platform = $2 AND number = ANY(ARRAY(
            SELECT number FROM deliveries
            WHERE run = $1 AND member IS NULL AND state < 2
                AND state = \(DeliveryState.sending.rawValue) AND platform = $2
            ORDER BY number LIMIT $6 FOR UPDATE SKIP LOCKED))
        RETURNING number
        """
}
