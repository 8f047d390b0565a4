import CampaignCore
import GRDB

/// Who of a fallback's people needs none any more: who has fetched since it was staged, or whose payload was taken back.
///
/// Between the two can be a night of quiet hours, or an outage of the hub.
struct FallbackNeed {
    /// The run that the fallback follows.
    private let run: Int64
    private let people: RecipientOrder
    private let query: NativeStatement

    /// Looks at what a fallback follows.
    ///
    /// - Parameters:
    ///   - fallback: a run.
    ///   - db: any connection, in one transaction for as long as the value is used.
    /// - Returns: nil when the run is no fallback.
    init?(of fallback: StoredRun, _ db: Database) throws {
        let occurrence = try String.fetchOne(
            db.cachedStatement(sql: "SELECT occurrence FROM runs WHERE key = ?"),
            arguments: [fallback.key])
        guard let parent = occurrence.flatMap({ Occurrence(checked: $0).fallbackOf }) else {
            return nil
        }
        let key = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT key FROM runs WHERE id = ?"),
            arguments: [parent.text])
        guard let key else { return nil }
        run = key
        people = try RecipientOrder(run: key, db)
        query = try NativeStatement(Self.settled, db)
    }

    /// Why somebody needs none.
    ///
    /// - Returns: nil when they need one.
    func objection(to username: Username) throws -> SkipReason? {
        guard let number = try people.number(of: username) else { return nil }
        query.bind(run, at: 1)
        query.bind(number, at: 2)
        var objection: SkipReason?
        try query.forEachRow { row in
            if row.integer(0) != 0 {
                objection = .fetched
            } else if row.integer(1) != 0 {
                objection = .revoked
            }
        }
        return objection
    }

    private static let settled = """
        SELECT
            EXISTS (SELECT 1 FROM receipts
                WHERE run = ?1 AND number = ?2 AND fetched IS NOT NULL),
            EXISTS (SELECT 1 FROM notifications
                WHERE run = ?1 AND number = ?2 AND revoked IS NOT NULL)
        """
}
