import CampaignCore
package import PostgreSQLClient
package import Storage

/// The server itself finds damaged pages; these queries find rows that contradict each other.
extension PostgreSQLConnection {
    package var furtherTables: [String] { ["claimed_pages", "run_members"] }

    package var furtherStrangers: [(table: String, condition: String)] {
        let isFinished = """
            (SELECT state = '\(RunState.finished.rawValue)' FROM runs WHERE key = ?1)
            """
        // Members own such rows, but a finished run has no members.
        let isNobodys = """
            (member IS NOT NULL
                AND member NOT IN (SELECT m.member FROM run_members m WHERE m.run = ?1))
            """
        return [
            ("deliveries", "member IS NOT NULL AND state >= 2 OR state < 2 AND \(isNobodys)"),
            (
                "claimed_pages",
                """
                \(isFinished) OR \(RunCheck.isForeign) OR \(isNobodys)
                    OR first < 1 OR first > last
                    OR last > (SELECT p.claimed FROM run_platforms p
                        WHERE p.run = ?1 AND p.position = claimed_pages.platform)
                """
            ),
            ("run_members", isFinished),
        ]
    }

    package func isWhole(
        _ run: StoredRun, recipients: Int, isThorough: Bool
    ) throws -> Bool {
        try hasRow(Self.numbered, [run.key, recipients]) && !exists(Self.brokenWaves, run)
            && !(isThorough && exists(Self.unordered, run)) && !exists(Self.brokenContent, run)
    }

    package func isPayloadLost(of run: StoredRun) throws -> Bool {
        // A notification is needed only for people who may still be sent to.
        try exists(Self.unsent, run)
    }

    /// `$1` is the run's key.
    private func exists(_ query: String, _ run: StoredRun) throws -> Bool {
        try row("SELECT EXISTS (\(query))", [run.key])?.bool(0) ?? false
    }

    /// Whether `$2` people have consecutive numbers from 1.
    private static let numbered = """
        SELECT 1 FROM runs WHERE key = $1 AND final = $2 AND (final = 0 OR
            (SELECT min(number) FROM recipients WHERE run = $1) = 1
                AND (SELECT max(number) FROM recipients WHERE run = $1) = final)
        """

    /// Waves that omit somebody or contain somebody twice.
    private static let brokenWaves = """
        SELECT 1 FROM (
            SELECT first, last, lag(last, 1, 0::bigint) OVER (ORDER BY number) AS previous
            FROM run_waves WHERE run = $1) wave
        WHERE first <> previous + 1 OR last < first
        UNION ALL
        SELECT 1 FROM runs
        WHERE key = $1 AND coalesce((SELECT max(last) FROM run_waves WHERE run = $1), 0)
            <> CASE WHEN has_waves THEN final ELSE 0 END
        """

    /// People who are not in name order, within each wave if there are waves; forgotten people have
    /// no name.
    private static let unordered = """
        SELECT 1 FROM (
            SELECT number, name, lag(name) OVER numbered AS previous_name,
                lag(number) OVER numbered AS previous
            FROM recipients WHERE run = $1 AND name <> ''
            WINDOW numbered AS (ORDER BY number)) named
        WHERE name <= previous_name AND NOT EXISTS (
            SELECT 1 FROM run_waves w
            WHERE w.run = $1 AND w.first > named.previous AND w.first <= named.number)
        """

    private static let brokenContent = """
        SELECT 1 FROM (SELECT DISTINCT content FROM notifications
            WHERE run = $1 AND content IS NOT NULL) used
        LEFT JOIN contents ON contents.key = used.content
        WHERE digest IS DISTINCT FROM sha256(bytes)
        """

    /// A person who was not forgotten but has neither a personal notification nor a shared one.
    private static let unsent = """
        SELECT 1 FROM recipients r JOIN runs ON runs.key = $1
        WHERE r.run = $1 AND r.name <> '' AND runs.purged IS NULL
            AND runs.state <> '\(RunState.finished.rawValue)'
            AND NOT EXISTS (SELECT 1 FROM notifications n
                WHERE n.run = $1 AND n.number = r.notification)
            AND NOT EXISTS (SELECT 1 FROM notifications n
                WHERE n.run = $1 AND n.number = r.number)
        """
}
