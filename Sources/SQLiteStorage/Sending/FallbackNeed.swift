import CampaignCore
import GRDB

/// Which people of a fallback no longer need it: they have fetched, or their payload was revoked,
/// since staging.
struct FallbackNeed {
    private let run: Int64
    private let people: RecipientOrder
    private let query: NativeStatement

    /// nil when the run is not a fallback; the value must be used within one transaction.
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

    /// Why somebody no longer needs it.
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
