package import CampaignCore
import Crypto
import FoundationEssentials
import GRDB
package import Storage

/// Finds damage to a run's rows in the large tables, by sums of their digests in the run's own row.
///
/// The transaction that changes a row changes its sum too; another process compares them when it
/// continues the run. Runs of older versions have none.
enum RunDigests {
    static let recipients = ["run", "number", "name"]
    static let notifications = [
        "run", "number", "id", "type", "message", "media_type", "content", "sealed", "revoked",
    ]
    /// Later columns; they count separately, and only where they have a value
    /// (``added(number:language:texts:)``).
    fileprivate static let addedToNotifications = ["language", "texts"]
    static let deliveries = [
        "run", "platform", "number", "state", "attempts", "is_uncertain", "recorded", "detail",
        "hub_message",
    ]
    /// With the later column, which counts separately (``skipped(_:_:_:)``).
    static let allOfDeliveries = (deliveries + ["skip_reason"]).joined(separator: ", ")

    /// Adds what was written, or subtracts what was deleted; and adds requests, so that the row is
    /// sealed once.
    static func add(
        recipients: Int64 = 0, notifications: Int64 = 0, deliveries: Int64 = 0, requests: Int = 0,
        to run: Int64, _ db: Database
    ) throws {
        let changes = [recipients, notifications, deliveries, Int64(requests)]
        guard changes.contains(where: { $0 != 0 }) else { return }
        try db.run(
            """
            UPDATE runs SET recipients_digest = changed_sum(recipients_digest, 0, ?2),
                notifications_digest = changed_sum(notifications_digest, 0, ?3),
                deliveries_digest = changed_sum(deliveries_digest, 0, ?4),
                requests = requests + ?5
            WHERE key = ?1
            """, [run] + changes)
    }

    /// The digest of a notification's later columns; 0 where they are empty, as in rows of an older
    /// version.
    static func added(number: Int, language: String?, texts: [UInt8]?) -> Int64 {
        guard language != nil || texts != nil else { return 0 }
        var digest = RowDigest()
        digest.add(Int64(number))
        for part in [language.map { Array($0.utf8) }, texts] {
            guard let part else {
                digest.addNull()
                continue
            }
            unsafe part.withUnsafeBytes { bytes in unsafe digest.add(bytes, isText: false) }
        }
        return digest.value
    }

    /// The digest of a row with ``allOfDeliveries``.
    static func delivery(_ row: NativeRow) -> Int64 {
        let last = Int32(deliveries.count)
        let digest = row.digest(last)
        guard !row.isNull(last) else { return digest }
        return digest &+ skipped(row.integer(last), row.integer(1), row.integer(2))
    }

    /// The digest of why a delivery was skipped, by its platform and number; rows of an older
    /// version got theirs with the column.
    static func skipped(_ reason: Int, _ platform: Int, _ number: Int) -> Int64 {
        var digest = RowDigest()
        for value in [reason, platform, number] { digest.add(Int64(value)) }
        return digest.value
    }

    /// The digest of which shared notification a recipient gets; 0 for the default, as in rows of
    /// an older version.
    static func shared(_ notification: Int, by number: Int) -> Int64 {
        notification == 0 ? 0 : place(notification, number)
    }

    fileprivate static func notificationDigest(_ row: NativeRow) -> Int64 {
        let last = Int32(notifications.count)
        let texts = row.isNull(last + 1) ? nil : row.bytes(last + 1)
        return row.digest(last)
            &+ added(number: row.integer(1), language: row.text(last), texts: texts)
    }

    /// Compares a run's rows with their sums: a million in about a second.
    static func check(_ run: Int64, _ db: Database) throws {
        var expected: [Int64?] = []
        var final = 0
        var waves: Int64?
        let query = try NativeStatement(selection, db)
        query.bind(run, at: 1)
        try query.forEachRow { row in
            expected = (0..<3).map { row.isNull($0) ? nil : Int64(row.integer($0)) }
            final = row.integer(3)
            waves = row.isNull(4) ? nil : Int64(row.integer(4))
        }
        guard expected.count == 3 else { throw DatabaseError.damaged }
        try checkRecipients(of: run, expected[0], count: final, db)
        try checkNotifications(of: run, expected[1], db)
        try checkDeliveries(of: run, expected[2], db)
        try WaveRow.check(of: run, waves, count: final, db)
    }

    private static func checkRecipients(
        of run: Int64, _ expected: Int64?, count: Int, _ db: Database
    ) throws {
        let query = try NativeStatement(
            "\(select(recipients + ["notification", "place"], from: "recipients")) ORDER BY number",
            db)
        query.bind(run, at: 1)
        var (found, sum): (Int, Int64) = (0, 0)
        try query.forEachRow { row in
            found += 1
            // Numbers must have no gap, since pages of recipients are ranges of numbers.
            guard row.integer(1) == found else { throw DatabaseError.damaged }
            let last = Int32(recipients.count)
            // Places are not summed up. With waves, a wrong one moves a forgotten person's line in
            // a report, and can list somebody twice or not at all between two pages.
            guard row.isNull(last + 1) || row.text(2) == "" else { throw DatabaseError.damaged }
            sum &+= row.digest(last) &+ shared(row.integer(last), by: found)
        }
        guard found == count, expected ?? sum == sum else { throw DatabaseError.damaged }
    }

    private static func checkNotifications(
        of run: Int64, _ expected: Int64?, _ db: Database
    ) throws {
        guard let expected else { return }
        let query = try NativeStatement(
            select(notifications + addedToNotifications, from: "notifications"), db)
        query.bind(run, at: 1)
        var sum: Int64 = 0
        // One for each file: a run has few.
        var contents: Set<Int> = []
        try query.forEachRow { row in
            sum &+= notificationDigest(row)
            if !row.isNull(6) { contents.insert(row.integer(6)) }
        }
        guard sum == expected else { throw DatabaseError.damaged }
        let content = try NativeStatement("SELECT digest, bytes FROM contents WHERE key = ?", db)
        for key in contents {
            content.bind(key, at: 1)
            var isWhole = false
            try content.forEachRow { row in
                isWhole = row.bytes(0).elementsEqual(SHA256.hash(data: Data(row.bytes(1))))
            }
            guard isWhole else { throw DatabaseError.damaged }
        }
    }

    private static func checkDeliveries(
        of run: Int64, _ expected: Int64?, _ db: Database
    ) throws {
        let rows = try NativeStatement(
            "SELECT \(allOfDeliveries) FROM deliveries WHERE run = ?", db)
        rows.bind(run, at: 1)
        var sum: Int64 = 0
        var open: Int64 = 0
        try rows.forEachRow { row in
            sum &+= delivery(row)
            if row.integer(3) < 2 { open &+= place(row.integer(1), row.integer(2)) }
        }
        // Waiting deliveries are read by this index alone.
        let index = try NativeStatement(
            """
            SELECT platform, number FROM deliveries INDEXED BY deliveries_open
            WHERE run = ? AND state < 2
            """, db)
        index.bind(run, at: 1)
        var indexed: Int64 = 0
        try index.forEachRow { indexed &+= place($0.integer(0), $0.integer(1)) }
        guard expected ?? sum == sum, open == indexed else { throw DatabaseError.damaged }
    }

    private static func place(_ platform: Int, _ number: Int) -> Int64 {
        var digest = RowDigest()
        digest.add(Int64(platform))
        digest.add(Int64(number))
        return digest.value
    }

    fileprivate static func select(_ columns: [String], from table: String) -> String {
        "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE run = ?"
    }

    private static let columns = [
        "recipients_digest", "notifications_digest", "deliveries_digest",
    ]
    private static let selection =
        "SELECT \(columns.joined(separator: ", ")), final, waves_digest FROM runs WHERE key = ?"
}

extension Database {
    package func changing(
        _ rows: ChangedRows, of run: Int64, _ change: () throws -> Void
    ) throws {
        switch rows {
        case .recipients(let numbers):
            let select = RunDigests.select(RunDigests.recipients, from: "recipients")
            let difference = try difference("\(select) AND number = ?", run, numbers, change) {
                $0.digest(Int32(RunDigests.recipients.count))
            }
            try RunDigests.add(recipients: difference, to: run, self)
        case .notifications(let numbers):
            let select = RunDigests.select(
                RunDigests.notifications + RunDigests.addedToNotifications, from: "notifications")
            let difference = try difference(
                "\(select) AND number = ?", run, numbers, change, RunDigests.notificationDigest)
            try RunDigests.add(notifications: difference, to: run, self)
        case .anyNotification:
            try change()
            try self.run("UPDATE runs SET notifications_digest = NULL WHERE key = ?1", [run])
        case .any:
            try change()
            try self.run(
                """
                UPDATE runs SET recipients_digest = NULL, notifications_digest = NULL,
                    deliveries_digest = NULL
                WHERE key = ?1
                """, [run])
        }
    }

    /// By how much a change of some rows changes the sum of their digests.
    private func difference(
        _ sql: String, _ run: Int64, _ numbers: [Int], _ change: () throws -> Void,
        _ digest: (NativeRow) -> Int64
    ) throws -> Int64 {
        let query = try NativeStatement(sql, self)
        func sum() throws -> Int64 {
            var sum: Int64 = 0
            for number in numbers {
                query.bind(run, at: 1)
                query.bind(number, at: 2)
                try query.forEachRow { sum &+= digest($0) }
            }
            return sum
        }
        let before = try sum()
        try change()
        return try sum() &- before
    }
}

extension SQLiteStore {
    package func verify(_ run: RunID) async throws {
        try await read { db in
            try RowSeal.check(db)
            let stored = try StoredRun(of: run, db)
            // While a run is being staged, nothing has to agree yet.
            guard !stored.isBeingStaged, try RunSums.kept(of: stored, db) == nil else { return }
            try RunDigests.check(stored.key, db)
        }
    }
}
