import CampaignCore
import PostgreSQLClient
import Storage

/// Pages, each of which was claimed at once, as rows of `claimed_pages`.
///
/// A page belongs to a member, or to nobody. In a page of nobody, deliveries without a row in `deliveries` were left behind, and may
/// have gone out.
enum ClaimedPages {
    /// A page that belongs to nobody.
    struct Page: Sendable {
        /// The platform's place in the run.
        let position: Int
        let numbers: ClosedRange<Int>
    }

    /// Writes down what a part claims.
    ///
    /// - Parameters:
    ///   - numbers: from the first to the last; people between them who are withheld or skipped have a row.
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

    /// Writes down what is claimed without a part, so that a part that comes later knows what was left behind.
    ///
    /// Such pages that follow each other share one row.
    ///
    /// - Parameters:
    ///   - numbers: from the number after the last claim to the last of this one.
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

    /// Writes down that everything that is claimed of an unfinished run was left behind.
    ///
    /// - Parameters:
    ///   - run: the run's key.
    ///   - db: the connection, in the transaction that copied the run into the store.
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

    /// Whether a part has the page of a serial number.
    static func contains(
        _ serial: Int, of part: PartBinding, _ db: PostgreSQLConnection
    ) throws -> Bool {
        try db.row(
            "SELECT 1 FROM claimed_pages WHERE run = $1 AND member = $2 AND serial = $3",
            [part.key, part.member, serial]) != nil
    }

    /// Removes pages of a part when all their outcomes are written down.
    ///
    /// If the server is not the one that the part was joined at, the pages stay, and are left behind with the part: this server may lack
    /// outcomes that were written down.
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

    /// Removes all pages of a run that has ended.
    static func removeAll(of run: Int64, _ db: PostgreSQLConnection) throws {
        try db.execute("DELETE FROM claimed_pages WHERE run = $1", [run])
    }

    /// Locks a page that belongs to nobody, so that nobody else settles it until the transaction ends.
    ///
    /// - Returns: nil when there is no such page, or others settle all of them.
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

    /// Removes the beginning of a page, or all of it.
    ///
    /// - Parameters:
    ///   - page: a page that the transaction has locked.
    ///   - number: the last number that is settled.
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
