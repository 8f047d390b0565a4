import CampaignCore
import PostgreSQLClient
import Storage

/// Claimed pages, as rows of `claimed_pages`.
///
/// A page belongs to a member, or to nobody; then its deliveries without a row were left behind,
/// and may have been sent.
enum ClaimedPages {
    struct Page: Sendable {
        /// The platform's place in the run.
        let position: Int
        let numbers: ClosedRange<Int>
    }

    /// Records a part's claim, from the first to the last number; withheld or skipped people
    /// between have a row.
    static func add(
        _ numbers: ClosedRange<Int>, _ serial: Int, of part: PartBinding, on position: Int,
        _ db: PostgreSQLConnection
    ) throws {
        try db.execute(
            """
            INSERT INTO claimed_pages (run, platform, first, last, member, serial)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [part.key, position, numbers.lowerBound, numbers.upperBound, part.member, serial])
    }

    /// Records a claim without a part, for later parts; consecutive ones share one row.
    ///
    /// `numbers` begin after the last claim.
    static func add(
        _ numbers: ClosedRange<Int>, of run: Int64, on position: Int, _ db: PostgreSQLConnection
    ) throws {
        try db.execute(
            """
            WITH longer AS (
                UPDATE claimed_pages SET last = $4
                WHERE run = $1 AND platform = $2 AND member IS NULL AND last = $3 - 1
                RETURNING 1
            )
            INSERT INTO claimed_pages (run, platform, first, last)
            SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT 1 FROM longer)
            """, [run, position, numbers.lowerBound, numbers.upperBound])
    }

    /// Records that all claims of an unfinished run were left behind.
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

    static func contains(
        _ serial: Int, of part: PartBinding, _ db: PostgreSQLConnection
    ) throws -> Bool {
        try db.row(
            "SELECT 1 FROM claimed_pages WHERE run = $1 AND member = $2 AND serial = $3",
            [part.key, part.member, serial]) != nil
    }

    /// Removes pages of a part when all their outcomes are recorded.
    ///
    /// If the server is not the one where the part was joined, they stay with the part, since this
    /// server may lack outcomes.
    static func close(
        _ serials: [Int], of part: PartBinding, _ db: PostgreSQLConnection
    ) throws {
        guard !serials.isEmpty else { return }
        try db.execute(
            """
            DELETE FROM claimed_pages WHERE run = $1 AND member = $2 AND serial = ANY($3::bigint[])
                AND \(ServerTime.serverStart) = $4
            """, [part.key, part.member, serials, part.server])
    }

    static func removeAll(of run: Int64, _ db: PostgreSQLConnection) throws {
        try db.execute("DELETE FROM claimed_pages WHERE run = $1", [run])
    }

    /// Locks a page of nobody until the transaction ends; nil when others leave none.
    static func lockAbandoned(of run: Int64, _ db: PostgreSQLConnection) throws -> Page? {
        try db.row(
            """
            SELECT platform, first, last FROM claimed_pages
            WHERE run = $1 AND member IS NULL
            ORDER BY platform, first LIMIT 1 FOR UPDATE SKIP LOCKED
            """, [run]
        ).map { row in
            let (first, last) = (try row.int(1), try row.int(2))
            guard first <= last else { throw DamagedValue() }
            return Page(position: try row.int(0), numbers: first...last)
        }
    }

    /// Removes a page up to and including a number.
    static func cut(
        _ page: Page, through number: Int, of run: Int64, _ db: PostgreSQLConnection
    ) throws {
        let place: [any PostgreSQLBindable] = [run, page.position, page.numbers.lowerBound]
        let isMeant = "WHERE run = $1 AND platform = $2 AND first = $3"
        if number < page.numbers.upperBound {
            try db.execute("UPDATE claimed_pages SET first = $4 \(isMeant)", place + [number + 1])
        } else {
            try db.execute("DELETE FROM claimed_pages \(isMeant)", place)
        }
    }
}
