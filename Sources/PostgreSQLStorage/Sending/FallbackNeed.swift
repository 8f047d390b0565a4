import CampaignCore
import PostgreSQLClient

/// Which people of a fallback no longer need it: they have fetched, or their payload was revoked,
/// since staging.
struct FallbackNeed {
    private var objections: [String: SkipReason] = [:]

    /// Empty for a run that is not a fallback.
    init(of run: StoredRun, among people: [Username], _ db: PostgreSQLConnection) throws {
        guard !people.isEmpty, let parent = try Self.parent(of: run, db) else { return }
        let settled = try db.rows(Self.settled, [parent, people.map(\.text)])
        for row in settled {
            objections[try row.text(0)] = try row.bool(1) ? .fetched : .revoked
        }
    }

    /// Why somebody no longer needs the fallback.
    func objection(to username: Username) -> SkipReason? { objections[username.text] }

    /// nil when the run is not a fallback, or its parent is gone.
    private static func parent(of run: StoredRun, _ db: PostgreSQLConnection) throws -> Int64? {
        guard let parent = run.occurrence.fallbackOf else { return nil }
        return try db.row("SELECT key FROM runs WHERE id = $1", [parent.text])?.int64(0)
    }

    private static let settled = """
        SELECT n.name, f.number IS NOT NULL
        FROM unnest($2) AS n (name)
        CROSS JOIN LATERAL (
            SELECT number FROM recipients WHERE run = $1 AND name = n.name LIMIT 1
        ) r
        LEFT JOIN LATERAL (
            SELECT number FROM receipts
            WHERE run = $1 AND number = r.number AND fetched IS NOT NULL LIMIT 1
        ) f ON true
        LEFT JOIN LATERAL (
            SELECT number FROM notifications
            WHERE run = $1 AND number = r.number AND revoked IS NOT NULL LIMIT 1
        ) v ON true
        WHERE f.number IS NOT NULL OR v.number IS NOT NULL
        """
}
