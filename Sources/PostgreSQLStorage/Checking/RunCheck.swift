import CampaignCore
import PostgreSQLClient
import Storage

/// Finds faults of a run without a comparison; the server itself finds damaged pages.
struct RunCheck {
    private(set) var recipients = 0
    private(set) var outcomes = 0
    private(set) var faults: [StoreFault] = []

    private let id: RunID
    private let key: Int64
    private let db: PostgreSQLConnection

    /// Checks all rows of a run, and if it is thorough also the order of names and the index of
    /// ids.
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
        // While a run is being staged, nothing has to agree yet.
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
        // Only people who may still be sent to need their notification.
        let isLost = try row.bool(3) && exists(Self.unsent)
        if try isLost || (isThorough && exists(Self.unfound)) { faults.append(.lostPayloads(id)) }
    }

    private func count(_ query: String) throws -> Int {
        try db.row(query, [key])?.int(0) ?? 0
    }

    /// `$1` is the run's key.
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

    /// Whether people can be found by name, in each wave or all; forgotten people have none.
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

    /// Rows without a recipient or platform of the run.
    private mutating func findStrangers(final: Int, isFinished: Bool) throws {
        let isForeign = """
            platform <> ALL (ARRAY(SELECT position FROM run_platforms WHERE run = $1))
            """
        // A member owns them, which a finished run does not have.
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

    /// Rows of a run that should only have sums left.
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

    /// A person, not forgotten, without a notification of their own or a shared one.
    private static let unsent = """
        SELECT 1 FROM recipients r
        WHERE r.run = $1 AND r.name <> ''
            AND NOT EXISTS (SELECT 1 FROM notifications n
                WHERE n.run = $1 AND n.number = r.notification)
            AND NOT EXISTS (SELECT 1 FROM notifications n
                WHERE n.run = $1 AND n.number = r.number)
        """
}
