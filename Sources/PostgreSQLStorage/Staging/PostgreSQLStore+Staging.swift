package import CampaignCore
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    package func clearStaging(_ run: RunID) async throws {
        let (isCleared, last) = try await write { db in
            let stored = try StoredRun(staging: run, db)
            try WaveRow.remove(of: stored, db)
            try RunMembers.removeAll(of: stored.key, db)
            let last = try Self.lastRecipient(of: stored, db)?.number ?? 0
            guard stored.hasPartitions else { return (false, last) }
            // Frees the disk at once; nobody reads these partitions yet.
            let parts = Self.staged.map { RunPartitions.table($0, of: stored) }
            try db.execute("TRUNCATE \(parts.joined(separator: ", "))")
            try ContentTable.release(of: stored.key, db)
            return (true, last)
        }
        guard !isCleared else { return }
        for first in stride(from: 0, through: last, by: Self.transactionRows) {
            try await write { db in
                let stored = try StoredRun(staging: run, db)
                // The few shared ones have numbers below 1.
                let range = [
                    Int(stored.key), first == 0 ? Int.min : first,
                    first + Self.transactionRows - 1,
                ]
                for table in Self.staged {
                    try db.execute(
                        "DELETE FROM \(table) WHERE run = $1 AND number BETWEEN $2 AND $3", range)
                }
                try ContentTable.release(of: stored.key, db)
            }
        }
    }

    private static let staged = ["notifications", "recipients", "deliveries"]

    package func store(_ notification: NewNotification, of run: RunID) async throws {
        let kind = try await kind(staging: run)
        let prepared = try PreparedNotification(
            notification, kind: kind, for: nil,
            cipher: PreparedNotification.isSealed(kind: kind, for: nil)
                ? try await sealingCipher() : nil)
        try await write { db in
            let stored = try StoredRun(staging: run, db)
            let number = try SharedNumbers(of: stored, db).next(for: notification.language)
            try NotificationWriter(run: stored, db).write([(prepared, number)])
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
            // Before the transaction, which may be repeated, and whose locks should be short.
            let prepared = try slice.map { recipient in
                PreparedRecipient(
                    recipient,
                    try recipient.notification.map {
                        try PreparedNotification(
                            $0, kind: kind, for: recipient.username, cipher: cipher)
                    })
            }
            try await write { db in try Self.append(prepared, to: run, db) }
        }
    }

    package func finishStaging(_ run: RunID, counts: AudienceCounts) async throws {
        let staged = try await read { db in try StoredRun(of: run, db) }
        try await withoutTransaction { db in try RunPartitions.complete(staged, db) }
        try await write(isLong: true) { [identity] db in
            let stored = try StoredRun(staging: run, db)
            // Everybody must be in a wave.
            if stored.hasWaves,
                try WaveRow.recipients(of: stored.key, db).last?.upperBound != counts.final
            {
                throw StoreError.unordered(run)
            }
            try db.execute(
                """
                UPDATE runs SET state = $1, named = $2, duplicate = $3, excluded = $4, final = $5
                WHERE key = $6
                """,
                [
                    RunState.running.rawValue, counts.named, counts.duplicate, counts.excluded,
                    counts.final, stored.key,
                ])
            try NotificationIndex.fill(run: stored.key, db)
            try RunListener.tell(identity, db)
        }
    }

    private func kind(staging run: RunID) async throws -> CampaignKind {
        try await write { db in try StoredRun(staging: run, db).kind }
    }

    private static func lastRecipient(
        of run: StoredRun, _ db: PostgreSQLConnection
    ) throws -> (number: Int, name: Username)? {
        try db.row(
            "SELECT number, name FROM recipients WHERE run = $1 ORDER BY number DESC LIMIT 1",
            [run.key]
        ).map { (try $0.int(0), Username(checked: try $0.text(1))) }
    }

    private static func append(
        _ recipients: [PreparedRecipient], to run: RunID, _ db: PostgreSQLConnection
    ) throws {
        let stored = try StoredRun(staging: run, db)
        var order = StagingOrder(
            of: run, after: try lastRecipient(of: stored, db),
            waves: stored.hasWaves ? try WaveRow.recipients(of: stored.key, db) : [])
        let shared = try SharedNumbers(of: stored, db)
        var own: [(PreparedNotification, number: Int)] = []
        var withheld: [(number: Int, platforms: Set<Platform>)] = []
        let columns = ["run", "number", "name", "notification"]
        _ = try db.copy(into: RunPartitions.table("recipients", of: stored), columns: columns) {
            copy in
            for recipient in recipients {
                let number = try order.next(recipient.username)
                copy.beginRow(columns.count)
                copy.append(stored.key)
                copy.append(number)
                copy.append(recipient.username.text)
                if let notification = recipient.notification {
                    copy.append(0)
                    own.append((notification, number))
                } else {
                    copy.append(try shared.number(for: recipient.language))
                }
                if !recipient.withheld.isEmpty { withheld.append((number, recipient.withheld)) }
            }
        }
        if !own.isEmpty { try NotificationWriter(run: stored, db).write(own) }
        if !withheld.isEmpty { try withhold(withheld, of: stored, db) }
    }

    /// Gives deliveries that are not to be made their outcome before anything is sent.
    private static func withhold(
        _ withheld: [(number: Int, platforms: Set<Platform>)], of run: StoredRun,
        _ db: PostgreSQLConnection
    ) throws {
        guard let row = try db.row("SELECT started FROM runs WHERE key = $1", [run.key]) else {
            throw DamagedValue()
        }
        let started = try row.int64(0)
        let platforms = try RunPlatform.all(of: run, db)
        let columns = [
            "run", "platform", "number", "state", "attempts", "is_uncertain", "recorded", "detail",
        ]
        _ = try db.copy(into: RunPartitions.table("deliveries", of: run), columns: columns) {
            copy in
            for platform in platforms {
                for (number, names) in withheld where names.contains(platform.platform) {
                    copy.beginRow(columns.count)
                    copy.append(run.key)
                    copy.append(platform.position)
                    copy.append(number)
                    copy.append(int2: Int16(Outcome.skipped.stored))
                    copy.append(0)
                    copy.append(false)
                    copy.append(started)
                    copy.append(SkipReason.notAskedFor.rawValue)
                }
            }
        }
    }
}

/// One recipient with their own notification, ready to be written.
private struct PreparedRecipient: Sendable {
    let username: Username
    let notification: PreparedNotification?
    let language: LanguageTag?
    let withheld: Set<Platform>

    init(_ recipient: StagedRecipient, _ notification: PreparedNotification?) {
        username = recipient.username
        self.notification = notification
        language = recipient.language
        withheld = recipient.withheld
    }
}

extension SharedNumbers {
    fileprivate init(of run: StoredRun, _ db: PostgreSQLConnection) throws {
        var numbers: [String?: Int] = [:]
        let rows = try db.rows(
            "SELECT language, number FROM notifications WHERE run = $1 AND number <= 0", [run.key])
        for row in rows { numbers[try row.optionalText(0)] = try row.int(1) }
        self.init(numbers)
    }
}
