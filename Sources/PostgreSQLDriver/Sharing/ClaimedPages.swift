import CampaignCore
import PostgreSQLClient

/// Claimed pages, as rows of `claimed_pages`.
///
/// A page belongs to a member or to nobody. If it belongs to nobody, its deliveries without a row
/// were abandoned and may have been sent.
enum ClaimedPages {
    /// Records a part's claim from the first to the last number; withheld or skipped people in
    /// between have a row.
    static func add(
        _ numbers: ClosedRange<Int>, _ serial: Int, of part: ServerPart, on position: Int,
        _ db: PostgreSQLConnection
    ) throws {
        try db.execute(
            """
            INSERT INTO claimed_pages (run, platform, first, last, member, serial)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [part.key, position, numbers.lowerBound, numbers.upperBound, part.member, serial])
    }

    /// Records that all claims of an unfinished run were abandoned.
    static func addClaimed(of run: Int64, _ db: PostgreSQLConnection) throws {
        try db.execute(
            """
            INSERT INTO claimed_pages (run, platform, first, last)
            SELECT p.run, p.position, coalesce(w.first, 1), coalesce(c.claimed, p.claimed)
            FROM runs r
            JOIN run_platforms p ON p.run = r.key
            LEFT JOIN wave_claims c ON c.run = p.run AND c.platform = p.position
            LEFT JOIN run_waves w ON w.run = c.run AND w.number = c.wave
            WHERE r.key = $1 AND r.state <> '\(RunState.finished.rawValue)' AND p.claimed > 0
                AND r.has_waves = (c.wave IS NOT NULL)
            """, [run])
    }

    /// Removes pages of a part once all their outcomes are recorded.
    ///
    /// If the part was joined at a different server, the pages remain with the part, because this
    /// server may lack outcomes.
    static func close(
        _ serials: [Int], of part: ServerPart, _ db: PostgreSQLConnection
    ) throws {
        guard !serials.isEmpty else { return }
        try db.execute(
            """
            DELETE FROM claimed_pages WHERE run = $1 AND member = $2 AND serial = ANY($3::bigint[])
                AND \(ServerPart.serverStart) = $4
            """, [part.key, part.member, serials, part.server])
    }

    static func removeAll(of run: Int64, _ db: PostgreSQLConnection) throws {
        try db.execute("DELETE FROM claimed_pages WHERE run = $1", [run])
    }
}
