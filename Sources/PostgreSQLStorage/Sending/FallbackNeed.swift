import CampaignCore
import PostgreSQLClient
import Storage

/// Who of some of a fallback's people needs none any more: who has fetched since it was staged, or whose payload was taken back.
///
/// Between the two can be a night of quiet hours, or an outage of the hub.
struct FallbackNeed {
    private var objections: [String: SkipReason] = [:]

    /// Looks at what a fallback follows; a run that is none is nobody's business.
    ///
    /// - Parameters:
    ///   - run: a run.
    ///   - people: some of those it goes to.
    ///   - db: any connection.
    init(of run: StoredRun, among people: [Username], _ db: PostgreSQLConnection) throws {
        guard !people.isEmpty, let parent = try Self.parent(of: run, db) else { return }
        let settled = try db.rows(Self.settled, [parent, people.map(\.text)])
        for row in settled {
            objections[try row.text(0)] = try row.bool(1) ? .fetched : .revoked
        }
    }

    /// Why somebody needs none.
    ///
    /// - Returns: nil when they need one.
    func objection(to username: Username) -> SkipReason? { objections[username.text] }

    /// The key of the run that a fallback follows.
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
