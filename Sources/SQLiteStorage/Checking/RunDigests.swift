package import CampaignCore
import Crypto
import FoundationEssentials
import GRDB
import Storage

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
    private static let addedToNotifications = ["language", "texts"]
    static let deliveries = [
        "run", "platform", "number", "state", "attempts", "is_uncertain", "recorded", "detail",
        "hub_message",
    ]

    /// Adds what was written, or subtracts what was deleted.
    static func add(
        recipients: Int64 = 0, notifications: Int64 = 0, deliveries: Int64 = 0, to run: Int64,
        _ db: Database
    ) throws {
        let changes = [recipients, notifications, deliveries]
        let query = try NativeStatement(selection, db)
        query.bind(run, at: 1)
        var known: [Int64?] = []
        try query.forEachRow { row in
            known = (0..<3).map { row.isNull($0) ? nil : Int64(row.integer($0)) }
        }
        // SQLite would turn too large a sum into a floating-point number.
        for (index, (old, change)) in zip(known, changes).enumerated() {
            guard let old, change != 0 else { continue }
            let update = try NativeStatement(
                "UPDATE runs SET \(columns[index]) = ? WHERE key = ?", db)
            update.bind(old &+ change, at: 1)
            update.bind(run, at: 2)
            try update.run()
        }
        try RowSeal.renew(run: run, db)
    }

    /// Changes a staged notification; the number is its recipient's, or 0 for a shared one.
    static func changing(
        notification number: Int, of run: Int64, _ db: Database, _ change: () throws -> Void
    ) throws {
        let query = try NativeStatement(
            "\(select(notifications + addedToNotifications, from: "notifications")) AND number = ?",
            db)
        let sum = {
            query.bind(run, at: 1)
            query.bind(number, at: 2)
            var digest: Int64 = 0
            try query.forEachRow { digest = notificationDigest($0) }
            return digest
        }
        let before = try sum()
        try change()
        try add(notifications: sum() &- before, to: run, db)
    }

    static func changing(
        recipient number: Int, of run: Int64, _ db: Database, _ change: () throws -> Void
    ) throws {
        let query = try NativeStatement(
            "\(select(recipients, from: "recipients")) AND number = ?", db)
        let sum = {
            query.bind(run, at: 1)
            query.bind(number, at: 2)
            var digest: Int64 = 0
            try query.forEachRow { digest = $0.digest(Int32(recipients.count)) }
            return digest
        }
        let before = try sum()
        try change()
        try add(recipients: sum() &- before, to: run, db)
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

    /// The digest of which shared notification a recipient gets; 0 for the default, as in rows of
    /// an older version.
    static func shared(_ notification: Int, by number: Int) -> Int64 {
        notification == 0 ? 0 : place(notification, number)
    }

    private static func notificationDigest(_ row: NativeRow) -> Int64 {
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
            "\(select(recipients + ["notification"], from: "recipients")) ORDER BY number", db)
        query.bind(run, at: 1)
        var (found, sum): (Int, Int64) = (0, 0)
        try query.forEachRow { row in
            found += 1
            // Numbers must have no gap, since pages of recipients are ranges of numbers.
            guard row.integer(1) == found else { throw DatabaseError.damaged }
            let last = Int32(recipients.count)
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
        let rows = try NativeStatement(select(deliveries, from: "deliveries"), db)
        rows.bind(run, at: 1)
        var sum: Int64 = 0
        var open: Int64 = 0
        try rows.forEachRow { row in
            sum &+= row.digest(Int32(deliveries.count))
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

/// Reads the digests of a run's single deliveries on one platform, before they change.
struct DeliveryDigest {
    let position: Int
    private let run: Int64
    private let row: NativeStatement

    /// The connection must live as long as this value.
    init(of run: Int64, on position: Int, _ db: Database) throws {
        self.run = run
        self.position = position
        row = try NativeStatement(
            """
            \(RunDigests.select(RunDigests.deliveries, from: "deliveries"))
            AND platform = ? AND number = ?
            """, db)
    }

    /// 0 when the delivery has no row.
    func digest(of number: Int) throws -> Int64 {
        row.bind(run, at: 1)
        row.bind(position, at: 2)
        row.bind(number, at: 3)
        var digest: Int64 = 0
        try row.forEachRow { digest = $0.digest(Int32(RunDigests.deliveries.count)) }
        return digest
    }

    static func isAnyOpen(of run: Int64, _ db: Database) throws -> Bool {
        let query = try NativeStatement(
            """
            SELECT 1 FROM deliveries INDEXED BY deliveries_open WHERE run = ? AND state < 2 LIMIT 1
            """, db)
        query.bind(run, at: 1)
        var isAny = false
        try query.forEachRow { _ in isAny = true }
        return isAny
    }
}
