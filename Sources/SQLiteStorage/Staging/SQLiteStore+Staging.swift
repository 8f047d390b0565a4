package import CampaignCore
import GRDB
import Storage

extension SQLiteStore {
    package func clearStaging(_ run: RunID) async throws {
        let last = try await write { db in
            let stored = try StoredRun(staging: run, db)
            try db.execute(
                sql: """
                    UPDATE runs SET recipients_digest = 0, notifications_digest = 0,
                        deliveries_digest = 0
                    WHERE key = ? AND seal IS NOT NULL
                    """,
                arguments: [stored.key])
            try RowSeal.renew(run: stored.key, db)
            try WaveRow.remove(of: stored, db)
            return try Self.lastRecipient(of: stored, db)?.number ?? 0
        }
        // Files stay: the next staging finds them again by their digest. The last people go first,
        // since the others are found by numbers without a gap.
        for first in stride(from: 0, through: last, by: Self.transactionRows).reversed() {
            try await write { db in
                let stored = try StoredRun(staging: run, db)
                // The few shared ones have numbers below 1.
                let range: StatementArguments = [
                    stored.key, first == 0 ? NotificationPlace.beforeAll : first,
                    first + Self.transactionRows - 1,
                ]
                for statement in Self.clearing {
                    try db.cachedStatement(sql: statement).execute(arguments: range)
                }
            }
        }
    }

    package func store(_ notification: NewNotification, of run: RunID) async throws {
        let kind = try await kind(staging: run)
        let prepared = try PreparedNotification(
            notification, kind: kind, for: nil,
            cipher: PreparedNotification.isSealed(kind: kind, for: nil)
                ? try await sealingCipher() : nil)
        try await write { db in
            let stored = try StoredRun(staging: run, db)
            var writer = try NotificationWriter(run: stored, db)
            let numbers = try SharedNumbers(of: stored, db)
            try writer.write(prepared, number: numbers.next(for: notification.language))
            try writer.finish()
            try RunDigests.add(notifications: writer.digest, to: stored.key, db)
        }
    }

    package func store(_ waves: [RunWave], of run: RunID) async throws {
        try await write { db in
            let stored = try StoredRun(staging: run, db)
            guard !waves.isEmpty else { return }
            try StagingOrder.check(waves, of: run)
            // People who are already staged are not in the order of waves.
            guard !stored.hasWaves, try Self.lastRecipient(of: stored, db) == nil else {
                throw StoreError.unordered(run)
            }
            try WaveRow.insert(waves, of: stored, db)
        }
    }

    package func waves(_ run: RunID) async throws -> [RunWave] {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            return stored.hasWaves ? try WaveRow.all(of: stored.key, db) : []
        }
    }

    package func append(_ recipients: [StagedRecipient], to run: RunID) async throws {
        let isPersonal = recipients.contains { $0.notification != nil }
        let kind = isPersonal ? try await kind(staging: run) : .rich
        let cipher = isPersonal ? try await sealingCipher() : nil
        for first in stride(from: 0, to: recipients.count, by: Self.transactionRows) {
            let slice = recipients[first..<min(first + Self.transactionRows, recipients.count)]
            // Before the transaction, so that other writers do not wait for the encryption.
            let prepared = try slice.map { recipient in
                (
                    recipient,
                    try recipient.notification.map {
                        try PreparedNotification(
                            $0, kind: kind, for: recipient.username, cipher: cipher)
                    }
                )
            }
            try await write { db in try Self.append(prepared, to: run, db) }
        }
    }

    package func finishStaging(_ run: RunID, counts: AudienceCounts) async throws {
        try await indexNotifications(of: run)
        let isRepeated = try await save { db in
            let stored = try StoredRun(staging: run, db)
            // Everybody must be in a wave.
            if stored.hasWaves,
                try WaveRow.recipients(of: stored.key, db).last?.upperBound != counts.final
            {
                throw StoreError.unordered(run)
            }
            try db.execute(
                sql: """
                    UPDATE runs SET state = ?, named = ?, duplicate = ?, excluded = ?, final = ?
                    WHERE key = ?
                    """,
                arguments: [
                    RunState.running.rawValue, counts.named, counts.duplicate, counts.excluded,
                    counts.final, stored.key,
                ])
            try RowSeal.renew(run: stored.key, db)
            return try Bool.fetchOne(
                db, sql: "SELECT NOT is_rehearsal FROM runs WHERE key = ?", arguments: [stored.key])
        }
        // From here on a lost log cannot undo a staged run, which would be begun anew with other
        // ids.
        if isRepeated == true { try await bringLogIn(isEmptied: false) }
    }

    /// On the connection that writes next: staging opens no second one with its own cache.
    private func kind(staging run: RunID) async throws -> CampaignKind {
        try await writeWithoutTransaction { db in
            try StoredRun(staging: run, db).kind
        }
    }

    /// Deletes the rows of a run's recipients within a range of numbers, without receipts.
    static let clearing = [
        """
        DELETE FROM notification_ids WHERE id IN
            (SELECT id FROM notifications WHERE run = ? AND number BETWEEN ? AND ?)
        """,
        "DELETE FROM notifications WHERE run = ? AND number BETWEEN ? AND ?",
        "DELETE FROM recipients WHERE run = ? AND number BETWEEN ? AND ?",
        """
        DELETE FROM deliveries WHERE run = ?1
            AND platform IN (SELECT position FROM run_platforms WHERE run = ?1)
            AND number BETWEEN ?2 AND ?3
        """,
    ]

    private static func lastRecipient(
        of run: StoredRun, _ db: Database
    ) throws -> (number: Int, name: String)? {
        let statement = try db.cachedStatement(
            sql: "SELECT number, name FROM recipients WHERE run = ? ORDER BY number DESC LIMIT 1")
        return try Row.fetchOne(statement, arguments: [run.key]).map { ($0[0], $0[1]) }
    }

    private static func append(
        _ recipients: [(StagedRecipient, PreparedNotification?)], to run: RunID, _ db: Database
    ) throws {
        let stored = try StoredRun(staging: run, db)
        let last = try lastRecipient(of: stored, db)
        var order = StagingOrder(
            of: run, after: last.map { ($0.number, Username(checked: $0.name)) },
            waves: stored.hasWaves ? try WaveRow.recipients(of: stored.key, db) : [])
        var batch = try RowBatch(
            into: "recipients", RunDigests.recipients, others: ["notification"], db)
        let numbers = try SharedNumbers(of: stored, db)
        var sharing: Int64 = 0
        var writer = try NotificationWriter(run: stored, db)
        var withheld: [(number: Int, platforms: Set<Platform>)] = []
        for (recipient, notification) in recipients {
            let username = recipient.username
            let number = try order.next(username)
            batch.append(stored.key)
            batch.append(number)
            batch.append(username.text)
            let shared = notification == nil ? try numbers.number(for: recipient.language) : 0
            batch.append(shared)
            try batch.endRow()
            sharing &+= RunDigests.shared(shared, by: number)
            if let notification {
                try writer.write(notification, number: number)
            }
            if !recipient.withheld.isEmpty { withheld.append((number, recipient.withheld)) }
        }
        try batch.finish()
        try writer.finish()
        try RunDigests.add(
            recipients: batch.digest &+ sharing, notifications: writer.digest,
            deliveries: try withhold(withheld, of: stored, db), to: stored.key, db)
    }

    /// Gives deliveries that are not to be made their outcome before anything is sent.
    private static func withhold(
        _ withheld: [(number: Int, platforms: Set<Platform>)], of run: StoredRun, _ db: Database
    ) throws -> Int64 {
        guard !withheld.isEmpty else { return 0 }
        let time = try Int64.fetchOne(
            db, sql: "SELECT started FROM runs WHERE key = ?", arguments: [run.key])
        var batch = try RowBatch(into: "deliveries", RunDigests.deliveries, db)
        for platform in try RunPlatform.all(of: run, db) {
            for (number, platforms) in withheld where platforms.contains(platform.platform) {
                batch.append(run.key)
                batch.append(platform.position)
                batch.append(number)
                batch.append(Outcome.skipped.stored)
                batch.append(0)
                batch.append(0)
                batch.append(time)
                batch.append(SkipReason.notAskedFor.rawValue)
                batch.append(nil as String?)
                try batch.endRow()
            }
        }
        try batch.finish()
        return batch.digest
    }
}

extension SQLiteStore {
    /// Fills the index of ids, sorted in a temporary table first: random inserts would each touch
    /// another page.
    private func indexNotifications(of run: RunID) async throws {
        // Outside of a transaction: sorting a million ids takes a while, in which others can write.
        let count = try await writeWithoutTransaction { db in
            let stored = try StoredRun(staging: run, db)
            // It may be large; a change of the place also drops what an earlier call has left.
            try db.execute(
                sql: """
                    PRAGMA temp_store = MEMORY;
                    PRAGMA temp_store = FILE;
                    CREATE TEMP TABLE sorted_ids (
                        position INTEGER PRIMARY KEY, id TEXT NOT NULL, number INTEGER NOT NULL);
                    """)
            try db.execute(
                sql: """
                    INSERT INTO temp.sorted_ids (id, number)
                    SELECT id, number FROM notifications WHERE run = ? ORDER BY id
                    """,
                arguments: [stored.key])
            return db.changesCount
        }
        for first in stride(from: 1, through: count, by: Self.transactionRows) {
            try await write { db in
                let stored = try StoredRun(staging: run, db)
                try db.cachedStatement(
                    sql: """
                        INSERT INTO notification_ids (id, run, number)
                        SELECT id, ?, number FROM temp.sorted_ids WHERE position BETWEEN ? AND ?
                        ORDER BY position
                        """
                ).execute(arguments: [stored.key, first, first + Self.transactionRows - 1])
            }
        }
        try await keepTemporaryFilesInMemory()
    }
}

extension SharedNumbers {
    fileprivate init(of run: StoredRun, _ db: Database) throws {
        var numbers: [String?: Int] = [:]
        let statement = try NativeStatement(
            "SELECT language, number FROM notifications WHERE run = ? AND number <= 0", db)
        statement.bind(run.key, at: 1)
        try statement.forEachRow { numbers[$0.text(0)] = $0.integer(1) }
        self.init(numbers)
    }
}
