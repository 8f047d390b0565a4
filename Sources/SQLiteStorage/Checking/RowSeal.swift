import GRDB
import Storage

/// The seal of a row in a small table: a digest of its other columns.
///
/// Rows of older versions never get a seal, since those versions may still change them.
enum RowSeal {
    private static let runColumns = """
        key, id, campaign, hub, occurrence, is_rehearsal, state, reason, kind, is_message_private,
        campaign_path, delivery, fingerprints, named, duplicate, excluded, final, requests,
        stop_request, started, finished, expires, revoked, purged, recipients_digest,
        notifications_digest, deliveries_digest
        """
    private static let runColumnCount: Int32 = 27
    /// Columns that were added to `runs` later; the seal ends with the last that is not NULL, so
    /// that older rows keep theirs.
    private static let addedRunColumns = [
        "push_options", "plan", "pause", "resumes", "waves_digest", "fallback_requests",
        "deliveries_deleted", "started_by",
    ]
    private static let platformColumns = "run, position, platform, claimed, claimed_at"
    private static let platformColumnCount: Int32 = 5
    /// Columns that were added to `run_platforms` later; they count the same way.
    private static let addedPlatformColumns = ["waves_digest"]

    /// Renews the seal of a run's row, in the transaction that changed it.
    static func renew(run: Int64, _ db: Database) throws {
        let query = try NativeStatement(
            """
            SELECT \(runColumns), \(addedRunColumns.joined(separator: ", ")) FROM runs
            WHERE key = ? AND seal IS NOT NULL
            """, db)
        query.bind(run, at: 1)
        var seal: Int64?
        try query.forEachRow { seal = runDigest($0) }
        guard let seal else { return }
        let update = try NativeStatement("UPDATE runs SET seal = ? WHERE key = ?", db)
        update.bind(seal, at: 1)
        update.bind(run, at: 2)
        try update.run()
    }

    static func renew(platform position: Int, of run: Int64, _ db: Database) throws {
        let query = try NativeStatement(
            """
            SELECT \(platformColumns), \(addedPlatformColumns.joined(separator: ", "))
            FROM run_platforms WHERE run = ? AND position = ? AND seal IS NOT NULL
            """, db)
        query.bind(run, at: 1)
        query.bind(position, at: 2)
        var seal: Int64?
        try query.forEachRow { seal = platformDigest($0) }
        guard let seal else { return }
        let update = try NativeStatement(
            "UPDATE run_platforms SET seal = ? WHERE run = ? AND position = ?", db)
        update.bind(seal, at: 1)
        update.bind(run, at: 2)
        update.bind(position, at: 3)
        try update.run()
    }

    /// Verifies all sealed rows; each run has only a few.
    static func check(_ db: Database) throws {
        let added = addedRunColumns.joined(separator: ", ")
        try check(
            "SELECT \(runColumns), \(added), seal FROM runs",
            runColumnCount + Int32(addedRunColumns.count), db, digest: runDigest)
        let addedToPlatforms = addedPlatformColumns.joined(separator: ", ")
        try check(
            "SELECT \(platformColumns), \(addedToPlatforms), seal FROM run_platforms",
            platformColumnCount + Int32(addedPlatformColumns.count), db, digest: platformDigest)
        // A run and its platforms were sealed together when the run was begun, or not at all.
        let unsealed = try Row.fetchOne(
            db,
            sql: """
                SELECT 1 FROM run_platforms p JOIN runs r ON r.key = p.run
                WHERE (p.seal IS NULL) <> (r.seal IS NULL)
                """)
        guard unsealed == nil else { throw DatabaseError.damaged }
    }

    private static func runDigest(_ row: NativeRow) -> Int64 {
        digest(row, runColumnCount, added: addedRunColumns)
    }

    private static func platformDigest(_ row: NativeRow) -> Int64 {
        digest(row, platformColumnCount, added: addedPlatformColumns)
    }

    private static func digest(_ row: NativeRow, _ columns: Int32, added: [String]) -> Int64 {
        var count = columns + Int32(added.count)
        while count > columns, row.isNull(count - 1) { count -= 1 }
        return row.digest(count)
    }

    private static func check(
        _ sql: String, _ columns: Int32, _ db: Database, digest: (NativeRow) -> Int64
    ) throws {
        try NativeStatement(sql, db).forEachRow { row in
            guard row.isNull(columns) || row.integer(columns) == Int(digest(row)) else {
                throw DatabaseError.damaged
            }
        }
    }
}
