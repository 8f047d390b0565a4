import CampaignCore
import PostgreSQLClient
import Storage

/// What can be seen of a run without anything to compare it with: the server itself finds pages that its disk has damaged.
struct RunCheck {
    private(set) var recipients = 0
    private(set) var outcomes = 0
    private(set) var faults: [StoreFault] = []

    private let id: RunID
    private let key: Int64
    private let db: PostgreSQLConnection

    /// Looks at all rows of a run.
    ///
    /// - Parameters:
    ///   - id: which run.
    ///   - isThorough: whether the order of names is looked at, too, and whether each id is found.
    ///   - db: the connection, in one transaction.
    /// - Throws: ``StoreError/noSuchRun(_:)``.
    init(of id: RunID, isThorough: Bool, _ db: PostgreSQLConnection) throws {
        let row = try db.row(
            """
            SELECT key, state, final, purged IS NULL AND state <> 'finished', deliveries_deleted,
                has_waves, EXISTS (SELECT 1 FROM run_sums WHERE run = key AND NOT is_begun)
            FROM runs WHERE id = $1
            """, [id.text])
        guard let row else { throw StoreError.noSuchRun(id) }
        self.id = id
        self.db = db
        key = try row.int64(0)
        let final = try row.int(2)
        let numbers = try self.numbers()
        recipients = numbers.count
        outcomes = try count("SELECT count(*) FROM deliveries WHERE run = $1")
        // Of a run that is being staged nothing has to agree yet.
        guard try row.text(1) != RunState.staging.rawValue else { return }
        guard row.isNull(4) else {
            if try row.bool(6) { try findLeftovers() }
            return
        }
        let isNumbered =
            final == numbers.count && (final == 0 || numbers.range == 1...final)
        let isWhole = try isNumbered && areWavesWhole(try row.bool(5), final: final)
        if try !isWhole || (isThorough && !areNamesOrdered()) || !areContentsWhole() {
            faults.append(.run(id))
        }
        try findStrangers(final: final, isFinished: row.text(1) == RunState.finished.rawValue)
        // Only who may still be sent to needs what they are sent.
        let isLost = try row.bool(3) && exists(Self.unsent)
        if try isLost || (isThorough && exists(Self.unfound)) { faults.append(.lostPayloads(id)) }
    }

    private func count(_ query: String) throws -> Int {
        try db.row(query, [key])?.int(0) ?? 0
    }

    /// - Parameter query: of `$1`, the run's key.
    private func exists(_ query: String) throws -> Bool {
        try db.row("SELECT EXISTS (\(query))", [key])?.bool(0) ?? false
    }

    private func numbers() throws -> (count: Int, range: ClosedRange<Int>) {
        let row = try db.row(
            """
            SELECT count(*), coalesce(min(number), 1), coalesce(max(number), 1)
            FROM recipients WHERE run = $1
            """, [key])
        guard let row else { throw DamagedValue() }
        return (try row.int(0), try row.int(1)...row.int(2))
    }

    /// Whether everybody is in a wave, if the run has any.
    private func areWavesWhole(_ hasWaves: Bool, final: Int) throws -> Bool {
        let waves: [ClosedRange<Int>]
        do {
            waves = try WaveRow.recipients(of: key, db)
        } catch is DamagedValue {
            return false
        }
        guard hasWaves else { return waves.isEmpty }
        var last = 0
        for wave in waves {
            guard wave.lowerBound == last + 1 else { return false }
            last = wave.upperBound
        }
        return last == final
    }

    /// Whether people can be found by their names, in each wave or all; those who were forgotten have none.
    private func areNamesOrdered() throws -> Bool {
        try !exists(
            """
            SELECT 1 FROM (
                SELECT number, name, lag(name) OVER numbered AS previous_name,
                    lag(number) OVER numbered AS previous
                FROM recipients WHERE run = $1 AND name <> ''
                WINDOW numbered AS (ORDER BY number)) named
            WHERE name <= previous_name AND NOT EXISTS (
                SELECT 1 FROM run_waves w
                WHERE w.run = $1 AND w.first > named.previous AND w.first <= named.number)
            """)
    }

    private func areContentsWhole() throws -> Bool {
        try !exists(
            """
            SELECT 1 FROM (SELECT DISTINCT content FROM notifications
                WHERE run = $1 AND content IS NOT NULL) used
            LEFT JOIN contents ON contents.key = used.content
            WHERE digest IS DISTINCT FROM sha256(bytes)
            """)
    }

    /// Rows that are about nobody of the run's recipients, or on none of its platforms.
    private mutating func findStrangers(final: Int, isFinished: Bool) throws {
        let isForeign = """
            platform <> ALL (ARRAY(SELECT position FROM run_platforms WHERE run = $1))
            """
        // Whose it is has a part in the run, which nobody has in one that is over.
        func isNobodys(_ table: String) -> String {
            """
            (member IS NOT NULL AND NOT EXISTS (SELECT 1 FROM run_members m
                WHERE m.run = $1 AND m.member = \(table).member))
            """
        }
        let conditions = [
            ("run_platforms", "claimed NOT BETWEEN 0 AND \(final)"),
            (
                "deliveries",
                """
                number NOT BETWEEN 1 AND \(final) OR \(isForeign)
                    OR member IS NOT NULL AND state >= 2
                """
            ),
            ("deliveries", "state < 2 AND \(isNobodys("deliveries"))"),
            (
                "claimed_pages",
                """
                \(isFinished) OR \(isForeign) OR \(isNobodys("claimed_pages")) OR first < 1
                    OR first > last OR last > (SELECT p.claimed FROM run_platforms p
                        WHERE p.run = $1 AND p.position = claimed_pages.platform)
                """
            ),
            ("run_members", "\(isFinished)"),
            (
                "wave_claims",
                """
                \(isForeign) OR NOT EXISTS (SELECT 1 FROM run_waves w
                    WHERE w.run = $1 AND w.number = wave AND claimed BETWEEN w.first AND w.last)
                """
            ),
            ("receipts", "number NOT BETWEEN 1 AND \(final)"),
            ("notifications", "number > \(final)"),
        ]
        for (table, condition) in conditions
        where try exists("SELECT 1 FROM \(table) WHERE run = $1 AND (\(condition))") {
            let fault = StoreFault.strangers(id, table: table)
            if !faults.contains(fault) { faults.append(fault) }
        }
    }

    /// Rows of a run of which sums alone are left.
    private mutating func findLeftovers() throws {
        for table in StoreSchema.partitioned + ["claimed_pages", "run_members"]
        where try exists("SELECT 1 FROM \(table) WHERE run = $1") {
            faults.append(.strangers(id, table: table))
        }
    }

    private static let unfound = """
        SELECT 1 FROM notifications n
        WHERE n.run = $1 AND NOT EXISTS (SELECT 1 FROM notification_ids i
            WHERE i.id = n.id AND i.run = n.run AND i.number = n.number)
        """

    /// Somebody, not forgotten, who has neither a notification of their own nor the one that they share.
    private static let unsent = """
        SELECT 1 FROM recipients r
        WHERE r.run = $1 AND r.name <> ''
            AND NOT EXISTS (SELECT 1 FROM notifications n
                WHERE n.run = $1 AND n.number = r.notification)
            AND NOT EXISTS (SELECT 1 FROM notifications n
                WHERE n.run = $1 AND n.number = r.number)
        """
}
