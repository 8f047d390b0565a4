package import CampaignCore
import Crypto
import FoundationEssentials
import GRDB
package import Storage

/// Finds damage to a run's rows in the large tables by comparing sums of their digests, which are
/// in the row of the run.
///
/// The transaction that changes a row also changes the sum; a process that continues the run
/// compares the two. Runs of older versions have no sums. Columns that were added later are
/// digested separately, and only if they have a value, so that older rows keep their digests.
enum RunDigests {
    static let recipients = ["run", "number", "name"]
    static let notifications = [
        "run", "number", "id", "type", "message", "media_type", "content", "sealed", "revoked",
    ]
    static let deliveries = [
        "run", "platform", "number", "state", "attempts", "is_uncertain", "recorded", "detail",
        "hub_message",
    ]
    /// The columns of deliveries, including the one for ``skipped(_:_:_:)``.
    static let allOfDeliveries = (deliveries + ["skip_reason"]).joined(separator: ", ")

    fileprivate static let ofRecipients =
        select(recipients + ["notification", "place"], from: "recipients")
    fileprivate static let ofNotifications =
        select(notifications + ["language", "texts"], from: "notifications")

    private static func select(_ columns: [String], from table: String) -> String {
        "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE run = ?1"
    }

    /// Adds the digests of written rows or subtracts those of deleted rows.
    ///
    /// It also adds requests, so that the row is sealed only once.
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

    // MARK: Digests

    fileprivate static func recipient(_ row: NativeRow) -> Int64 {
        let count = recipients.count
        return row.digest(count) &+ shared(row.integer(count), by: row.integer(1))
    }

    /// The digest of a recipient's shared notification; 0 for the default one.
    static func shared(_ notification: Int, by number: Int) -> Int64 {
        notification == 0 ? 0 : digest(notification, number)
    }

    fileprivate static func notification(_ row: NativeRow) throws -> Int64 {
        let count = notifications.count
        return row.digest(count)
            &+ added(
                number: row.integer(1), language: try row.optionalText(count),
                texts: try row.optionalBytes(count + 1))
    }

    /// The digest of the columns of a notification that were added later.
    static func added(number: Int, language: String?, texts: [UInt8]?) -> Int64 {
        guard language != nil || texts != nil else { return 0 }
        var digest = RowDigest()
        digest.add(Int64(number))
        digest.add(language.map { Array($0.utf8) }, isText: false)
        digest.add(texts, isText: false)
        return digest.value
    }

    /// The digest of a row with the columns ``allOfDeliveries``.
    static func delivery(_ row: NativeRow) -> Int64 {
        let count = deliveries.count
        let digest = row.digest(count)
        guard !row.isNull(count) else { return digest }
        return digest &+ skipped(row.integer(count), row.integer(1), row.integer(2))
    }

    /// The digest of the reason why a delivery was skipped, with its platform and number.
    static func skipped(_ reason: Int, _ platform: Int, _ number: Int) -> Int64 {
        digest(reason, platform, number)
    }

    static func waves(of run: Int64, _ db: Database) throws -> Int64 {
        try db.rows("SELECT \(RowSeal.ofWaves) FROM run_waves WHERE run = ?1", [run]) {
            try $0.int64(0)
        }.reduce(0, &+)
    }

    private static func digest(_ numbers: Int...) -> Int64 {
        var digest = RowDigest()
        for number in numbers { digest.add(Int64(number)) }
        return digest.value
    }

    // MARK: Damage

    /// Compares a run's rows with their sums, which takes about a second for a million rows.
    static func check(_ run: Int64, _ db: Database) throws {
        let sums = try db.row(
            """
            SELECT recipients_digest, notifications_digest, deliveries_digest, waves_digest, final
            FROM runs WHERE key = ?1
            """, [run]
        ) { row in (try (0..<4).map { try row.optionalInt64($0) }, try row.int(4)) }
        guard let (digests, people) = sums else { throw DamagedValue() }
        try checkRecipients(of: run, digests[0], count: people, db)
        if let digest = digests[1] { try checkNotifications(of: run, digest, db) }
        try checkDeliveries(of: run, digests[2], db)
        try checkWaves(of: run, digests[3], count: people, db)
        try checkClaims(of: run, hasWaves: digests[3] != nil, db)
    }

    private static func checkRecipients(
        of run: Int64, _ expected: Int64?, count: Int, _ db: Database
    ) throws {
        var (found, sum): (Int, Int64) = (0, 0)
        try db.prepared("\(ofRecipients) ORDER BY number", [run]).forEachRow { row in
            found += 1
            // Numbers must have no gap, because pages of recipients are ranges of numbers. Places
            // are not included in the sums: with waves, a wrong place moves a forgotten person's
            // line in a report, and a person between two pages may be listed twice or not at all.
            let hasPlace = !row.isNull(recipients.count + 1)
            guard row.integer(1) == found, try !hasPlace || row.text(2).isEmpty else {
                throw DamagedValue()
            }
            sum &+= recipient(row)
        }
        guard found == count, expected ?? sum == sum else { throw DamagedValue() }
    }

    private static func checkNotifications(
        of run: Int64, _ expected: Int64, _ db: Database
    ) throws {
        var sum: Int64 = 0
        // There is one row for each file, and a run has few files.
        var contents: Set<Int> = []
        try db.prepared(ofNotifications, [run]).forEachRow { row in
            sum &+= try notification(row)
            if !row.isNull(6) { contents.insert(row.integer(6)) }
        }
        guard sum == expected else { throw DamagedValue() }
        for key in contents {
            let isWhole = try db.row("SELECT digest, bytes FROM contents WHERE key = ?1", [key]) {
                try $0.bytes(0).elementsEqual(SHA256.hash(data: Data($0.bytes(1))))
            }
            guard isWhole == true else { throw DamagedValue() }
        }
    }

    private static func checkDeliveries(
        of run: Int64, _ expected: Int64?, _ db: Database
    ) throws {
        var (sum, open, indexed): (Int64, Int64, Int64) = (0, 0, 0)
        try db.prepared("SELECT \(allOfDeliveries) FROM deliveries WHERE run = ?1", [run])
            .forEachRow { row in
                sum &+= delivery(row)
                if row.integer(3) < 2 { open &+= digest(row.integer(1), row.integer(2)) }
            }
        // Waiting deliveries are read only through this index.
        let index = """
            SELECT platform, number FROM deliveries INDEXED BY deliveries_open
            WHERE run = ?1 AND state < 2
            """
        try db.prepared(index, [run])
            .forEachRow { indexed &+= digest($0.integer(0), $0.integer(1)) }
        guard expected ?? sum == sum, open == indexed else { throw DamagedValue() }
    }

    private static func checkWaves(
        of run: Int64, _ expected: Int64?, count: Int, _ db: Database
    ) throws {
        var (number, last): (Int, Int) = (0, 0)
        try db.stream(
            "SELECT number, first, last FROM run_waves WHERE run = ?1 ORDER BY number", [run]
        ) { row in
            number += 1
            // People in a gap would never be sent a push.
            guard try row.int(0) == number, try row.int(1) == last + 1, try row.int(2) > last else {
                throw DamagedValue()
            }
            last = try row.int(2)
        }
        guard
            try expected == nil ? number == 0 : expected == waves(of: run, db) && last == count
        else { throw DamagedValue() }
    }

    /// Checks the claims of waves against the rows of the run's platforms.
    private static func checkClaims(of run: Int64, hasWaves: Bool, _ db: Database) throws {
        var found: [Int: (sum: Int64, highest: Int)] = [:]
        try db.stream(
            "SELECT platform, claimed, \(RowSeal.ofClaims) FROM wave_claims WHERE run = ?1", [run]
        ) { row in
            let known = found[try row.int(0)] ?? (0, 0)
            found[try row.int(0)] = (
                known.sum &+ (try row.int64(2)), max(known.highest, try row.int(1))
            )
        }
        try db.stream(
            "SELECT position, claimed, waves_digest FROM run_platforms WHERE run = ?1", [run]
        ) { row in
            let digest = try row.optionalInt64(2)
            guard (digest != nil) == hasWaves else { throw DamagedValue() }
            guard let digest else { return }
            let known = found.removeValue(forKey: try row.int(0)) ?? (0, 0)
            guard known == (digest, try row.int(1)) else { throw DamagedValue() }
        }
        guard found.isEmpty else { throw DamagedValue() }
    }
}

extension Database {
    package func changing(
        _ rows: ChangedRows, of run: Int64, _ change: () throws -> Void
    ) throws {
        switch rows {
        case .recipients(let numbers):
            let difference = try difference(
                RunDigests.ofRecipients, run, numbers, change, RunDigests.recipient)
            try RunDigests.add(recipients: difference, to: run, self)
        case .notifications(let numbers):
            let difference = try difference(
                RunDigests.ofNotifications, run, numbers, change, RunDigests.notification)
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

    /// Returns by how much a change of some rows changes the sum of their digests.
    private func difference(
        _ sql: String, _ run: Int64, _ numbers: [Int], _ change: () throws -> Void,
        _ digest: (NativeRow) throws -> Int64
    ) throws -> Int64 {
        let query = try NativeStatement("\(sql) AND number = ?2", self)
        func sum() throws -> Int64 {
            var sum: Int64 = 0
            for number in numbers {
                query.bind(run, at: 1)
                query.bind(Int64(number), at: 2)
                try query.forEachRow { sum &+= try digest($0) }
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
            // While a run is being staged, its tables need not agree yet.
            guard !stored.isBeingStaged, try RunSums.kept(of: stored, db) == nil else { return }
            try RunDigests.check(stored.key, db)
        }
    }
}
