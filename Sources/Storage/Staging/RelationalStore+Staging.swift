package import CampaignCore

extension RelationalStore {
    package func clearStaging(_ run: RunID) async throws {
        let last = try await update { db in
            let stored = try StoredRun(staging: run, db)
            try WaveRow.remove(of: stored, db)
            try db.beginAnew(stored.key)
            return try stored.lastNumber(db)
        }
        // Files are kept, because the next staging finds them by their digest. The last people are
        // deleted first, because the remaining ones must have numbers without a gap.
        for first in stride(from: 0, through: last, by: TransactionLimit.rows).reversed() {
            try await update { db in
                let stored = try StoredRun(staging: run, db)
                // The few shared notifications have numbers below 1.
                let least = first == 0 ? NotificationKey.beforeAll : first
                let numbers = least...first + TransactionLimit.rows - 1
                try Self.deleteRows(
                    of: stored.key, numbers.lowerBound, numbers.upperBound, db)
                try db.noteEmptied(numbers, of: stored.key, isLast: first == 0)
            }
        }
    }

    package func store(_ notification: NewNotification, of run: RunID) async throws {
        let kind = try await kind(staging: run)
        let prepared = try PreparedNotification(
            notification, kind: kind, for: nil,
            cipher: PreparedNotification.isSealed(kind: kind, for: nil)
                ? try await sealingCipher() : nil)
        try await update { db in
            let stored = try StoredRun(staging: run, db)
            let number = try SharedNumbers(of: stored, db).next(for: notification.language)
            try stored.insert([(number, prepared)], db)
        }
    }

    package func store(_ waves: [RunWave], of run: RunID) async throws {
        try await update { db in
            let stored = try StoredRun(staging: run, db)
            guard !waves.isEmpty else { return }
            try StagingOrder.check(waves, of: run)
            // People who are already staged are not ordered by wave.
            guard !stored.hasWaves, try stored.lastRecipient(db) == nil else {
                throw StoreError.unordered(run)
            }
            try WaveRow.insert(waves, of: stored, db)
        }
    }

    package func waves(_ run: RunID) async throws -> [RunWave] {
        try await query { db in
            let stored = try StoredRun(of: run, db)
            return stored.hasWaves ? try WaveRow.all(of: stored.key, db) : []
        }
    }

    package func append(_ recipients: [StagedRecipient], to run: RunID) async throws {
        let isPersonal = recipients.contains { $0.notification != nil }
        let kind = isPersonal ? try await kind(staging: run) : .rich
        let cipher = isPersonal ? try await sealingCipher() : nil
        for first in stride(from: 0, to: recipients.count, by: TransactionLimit.rows) {
            let slice = recipients[first...].prefix(TransactionLimit.rows)
            // This is outside the transaction, because others wait for the transaction and it may
            // run again.
            let prepared = try slice.map { recipient in
                (
                    recipient,
                    try recipient.notification.map {
                        try PreparedNotification(
                            $0, kind: kind, for: recipient.username, cipher: cipher)
                    }
                )
            }
            try await update { db in
                try StoredRun(staging: run, db).append(prepared, id: run, db)
            }
        }
    }

    private func kind(staging run: RunID) async throws -> CampaignKind {
        try await queryOnWriter { db in
            // The row is not locked, because a server does not allow that in a read-only
            // transaction.
            let stored = try StoredRun(of: run, db)
            guard stored.isBeingStaged else { throw StoreError.notStaging(run) }
            return stored.kind
        }
    }
}

extension StoredRun {
    /// Ends staging; throws if the run has waves but somebody is in none of them.
    package func finishStaging(
        _ run: RunID, _ counts: AudienceCounts, _ db: any SQLConnection
    ) throws {
        if hasWaves, try WaveRow.recipients(of: key, db).last?.upperBound != counts.final {
            throw StoreError.unordered(run)
        }
        try run.change(
            "state = ?2, named = ?3, duplicate = ?4, excluded = ?5, final = ?6",
            [
                RunState.running.rawValue, counts.named, counts.duplicate, counts.excluded,
                counts.final,
            ], db)
    }

    /// The number of the last recipient; 0 if there are none.
    func lastNumber(_ db: any SQLConnection) throws -> Int {
        try lastRecipient(db)?.number ?? 0
    }

    fileprivate func lastRecipient(
        _ db: any SQLConnection
    ) throws -> (number: Int, name: Username)? {
        try db.row(
            "SELECT number, name FROM recipients WHERE run = ?1 ORDER BY number DESC LIMIT 1", [key]
        ) { (try $0.int(0), Username(checked: try $0.text(1))) }
    }

    fileprivate func append(
        _ recipients: [(StagedRecipient, PreparedNotification?)], id: RunID,
        _ db: any SQLConnection
    ) throws {
        var order = StagingOrder(
            of: id, after: try lastRecipient(db),
            waves: hasWaves ? try WaveRow.recipients(of: key, db) : [])
        let shared = try SharedNumbers(of: self, db)
        var people: [StagedPerson] = []
        people.reserveCapacity(recipients.count)
        var own: [(number: Int, PreparedNotification)] = []
        var withheld: [(number: Int, platforms: Set<Platform>)] = []
        for (recipient, notification) in recipients {
            let number = try order.next(recipient.username)
            people.append(
                StagedPerson(
                    number: number, name: recipient.username,
                    notification: notification == nil
                        ? try shared.number(for: recipient.language) : 0))
            if let notification { own.append((number, notification)) }
            if !recipient.withheld.isEmpty { withheld.append((number, recipient.withheld)) }
        }
        try db.insert(people, of: key)
        if !own.isEmpty { try insert(own, db) }
        try withhold(withheld, id: id, db)
    }

    fileprivate func insert(
        _ notifications: [(number: Int, PreparedNotification)], _ db: any SQLConnection
    ) throws {
        var last: (content: [UInt8], key: Int64)?
        let staged = try notifications.map { number, notification in
            var content: Int64?
            if let bytes = notification.content {
                // Comparing arrays that share their storage takes no time.
                if last?.content != bytes { last = (bytes, try db.key(of: bytes, in: key)) }
                content = last?.key
            }
            return StagedNotification(number: number, notification: notification, content: content)
        }
        try db.insert(staged, of: key)
    }

    /// Records the outcome of withheld deliveries before anything is sent.
    fileprivate func withhold(
        _ withheld: [(number: Int, platforms: Set<Platform>)], id: RunID, _ db: any SQLConnection
    ) throws {
        guard !withheld.isEmpty else { return }
        let started = try db.row("SELECT started FROM runs WHERE key = ?1", [key]) {
            try $0.time(0)
        }
        guard let started else { throw DamagedValue() }
        let platforms = try RunPlatform.all(of: self, db)
        let records = platforms.flatMap { platform in
            withheld.filter { $0.platforms.contains(platform.platform) }.map { number, _ in
                DeliveryRecord(
                    number: number, platform: platform.platform, state: .ended(.skipped),
                    skipReason: .notAskedFor, attempts: 0, isUncertain: false,
                    detail: SkipReason.notAskedFor.rawValue, hubMessage: nil, recordedAt: started)
            }
        }
        try db.insert(records, of: self) { try platforms.position(of: $0, in: id) }
    }
}
