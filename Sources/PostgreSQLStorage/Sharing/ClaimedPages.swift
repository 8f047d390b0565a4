import CampaignCore
import PostgreSQLClient
import Storage

/// What was claimed at once, as rows of `claimed_pages`.
///
/// A page is its member's, or nobody's: then what of it has no row of `deliveries` was left behind, and may have gone out.
enum ClaimedPages {
    /// A page of nobody's.
    struct Page: Sendable {
        /// The platform's place in the run.
        let position: Int
        let numbers: ClosedRange<Int>
    }

    /// Writes down what a part claims.
    ///
    /// - Parameters:
    ///   - numbers: from the first to the last; who is withheld or skipped between them has a row.
    ///   - serial: the page's number among the part's.
    ///   - part: the part, which the transaction holds.
    ///   - position: the platform's place in the run.
    ///   - db: the connection, in the transaction that moves the cursor.
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

    /// Writes down what is claimed for no part, so that a part that comes later knows what was left behind.
    ///
    /// Such pages follow each other in one row.
    ///
    /// - Parameters:
    ///   - numbers: from behind who was claimed before to the last.
    ///   - run: the run's key.
    ///   - position: the platform's place in the run.
    ///   - db: the connection, in the transaction that moves the cursor.
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

    /// Writes down that all of an unfinished run that is claimed was left behind.
    ///
    /// - Parameters:
    ///   - run: the run's key.
    ///   - db: the connection, in the transaction that brought the run in.
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

    /// Whether a part has a page of a number.
    static func contains(
        _ serial: Int, of part: PartBinding, _ db: PostgreSQLConnection
    ) throws -> Bool {
        try db.row(
            "SELECT 1 FROM claimed_pages WHERE run = $1 AND member = $2 AND serial = $3",
            [part.key, part.member, serial]) != nil
    }

    /// Takes pages of a part away of which nothing is left to be written down.
    ///
    /// Where the server is another than the one that the part was joined at, they stay, and are left behind with the part: it may lack what
    /// was written down of them.
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

    /// Takes all pages of a run away that has ended.
    static func removeAll(of run: Int64, _ db: PostgreSQLConnection) throws {
        try db.execute("DELETE FROM claimed_pages WHERE run = $1", [run])
    }

    /// A page of nobody's, which nobody else settles until the transaction ends.
    ///
    /// - Returns: nil when there is none, or others settle all that there are.
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

    /// Takes the beginning of a page away, or all of it.
    ///
    /// - Parameters:
    ///   - page: one that the transaction has locked.
    ///   - number: the last that is settled.
    ///   - run: the run's key.
    ///   - db: the connection, in the transaction.
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
