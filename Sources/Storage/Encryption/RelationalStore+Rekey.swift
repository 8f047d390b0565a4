import CampaignCore

extension RelationalStore where Self: UpkeepDriver {
    package func rekey(
        _ progress: @escaping @Sendable (_ payloads: Int) -> Void
    ) async throws -> RekeyedPayloads {
        try await rekey(pace: pace, progress)
    }

    func rekey(
        pace: WritePace, _ progress: @Sendable (_ payloads: Int) -> Void
    ) async throws -> RekeyedPayloads {
        var pace = pace
        var rekeyed = RekeyedPayloads()
        guard try await query(keyring.cipherNow) != nil else { return rekeyed }
        // From now on, no process without the first key encrypts anything.
        let cipher = try await sealingCipher()
        guard cipher.hasEarlier else { return rekeyed }
        try await update { db in
            let values = try PayloadKeyring.checkValue(db, db.dialect.forUpdate)
            if let values { try PayloadKeyring.keep(cipher.leading(values), db) }
        }
        // Runs that begin in the meantime, on hosts with the keys in a different order, are
        // included.
        var (seen, done): (Set<Int64>, Set<Int64>) = ([], [])
        while !rekeyed.isOvertaken {
            let (runs, staging) = try await query { db in
                (try Self.runsWithPayloads(db), try Self.runsBeingStaged(db))
            }
            let next = runs.filter {
                !done.contains($0) && !(staging.contains($0) && seen.contains($0))
            }
            if next.isEmpty { break }
            for run in next { try await rekey(run, cipher, &rekeyed, pace: &pace, progress) }
            seen.formUnion(next)
            done.formUnion(Set(next).subtracting(staging))
        }
        if rekeyed.isComplete {
            (rekeyed.isOvertaken, rekeyed.isStaging) = try await keepOnly(cipher, after: done)
        }
        try await bringLogIn(isEmptied: true)
        return rekeyed
    }

    /// Re-encrypts those of a run's payloads that were encrypted with another key.
    ///
    /// The search for outdated payloads does not need a transaction, so other processes can write,
    /// and a finished run needs no transaction at all.
    func rekey(
        _ run: Int64, _ cipher: PayloadCipher, _ rekeyed: inout RekeyedPayloads,
        pace: inout WritePace, _ progress: @Sendable (_ payloads: Int) -> Void
    ) async throws {
        var first = NotificationKey.beforeAll
        while !rekeyed.isOvertaken {
            try Task.checkCancellation()
            let numbers = try await query(isLong: true) { [first, most = pace.amount] db in
                try Self.outdated(most, from: first, of: run, cipher, db)
            }
            if numbers.isEmpty { return }
            // The log then restarts, so that it needs little more space than one transaction.
            try await bringLogIn(isEmptied: false)
            let room = pace.mostBytes
            let step = try await pace.step { batch in
                try await update { db in
                    var step = RekeyStep(numbers, room: room)
                    try step.work(on: run, cipher, in: batch, db)
                    return step
                }
            }
            rekeyed.payloads += step.payloads
            rekeyed.unreadable += step.unreadable
            rekeyed.isOvertaken = step.isOvertaken
            first = step.next
            if step.payloads > 0 { progress(rekeyed.payloads) }
        }
    }

    /// The numbers of the next payloads of a run that were encrypted with other keys; empty only if
    /// none are left.
    private static func outdated(
        _ most: Int, from first: Int, of run: Int64, _ cipher: PayloadCipher,
        _ db: any SQLConnection
    ) throws -> [Int] {
        try db.rows(
            """
            SELECT number FROM notifications
            WHERE run = ?1 AND number >= ?2 AND sealed IS NOT NULL
                AND substr(sealed, 1, \(cipher.namedHead.count)) <> ?3
            ORDER BY number LIMIT ?4
            """, [run, first, cipher.namedHead, most]
        ) { try $0.int(0) }
    }

    /// Makes the store use only the first key.
    ///
    /// If that is not possible, returns why: another process began to use another key or to stage a
    /// run.
    private func keepOnly(
        _ cipher: PayloadCipher, after done: Set<Int64>
    ) async throws -> (isOvertaken: Bool, isStaging: Bool) {
        try await update { db in
            // A run that begins after this has no payloads with earlier keys.
            try db.keepRunsOut()
            let values = try PayloadKeyring.checkValue(db, db.dialect.forUpdate)
            guard cipher.isLeading(values) else { return (true, false) }
            guard try Self.runsBeingStaged(db).isEmpty,
                try done.isSuperset(of: Self.runsWithPayloads(db))
            else { return (false, true) }
            try resealNameHashes(db)
            try PayloadKeyring.keep(cipher.checkValue, db)
            return (false, false)
        }
    }

    private static func runsWithPayloads(_ db: any SQLConnection) throws -> [Int64] {
        try db.rows("SELECT key FROM runs WHERE purged IS NULL ORDER BY key") { try $0.int64(0) }
    }

    private static func runsBeingStaged(_ db: any SQLConnection) throws -> Set<Int64> {
        Set(
            try db.rows("SELECT key FROM runs WHERE state = ?1", [RunState.staging.rawValue]) {
                try $0.int64(0)
            })
    }
}

/// The part of a run that is re-encrypted in one transaction.
private struct RekeyStep {
    /// The size of a page in SQLite.
    private static let page = 4_096

    private(set) var payloads = 0
    private(set) var unreadable = 0
    private(set) var isOvertaken = false
    /// The number from which the next step continues.
    private(set) var next: Int
    private let numbers: [Int]
    /// How many more bytes the transaction may write.
    private var room: Int

    init(_ numbers: [Int], room: Int) {
        self.numbers = numbers
        self.room = room
        next = numbers.first ?? 0
    }

    mutating func work(
        on run: Int64, _ cipher: PayloadCipher, in batch: WriteBatch, _ db: any SQLConnection
    ) throws {
        // No process can begin to use another key until this transaction is committed.
        guard cipher.isLeading(try PayloadKeyring.checkValue(db, db.dialect.forShare)) else {
            isOvertaken = true
            return
        }
        // Waits for processes that stage or purge the run.
        try db.hold(run)
        var left = numbers[...]
        try batch.parts { rows in
            let part = left.prefix(rows)
            guard let last = part.last else { return true }
            left = left.dropFirst(rows)
            let isWhole = try reseal(part, of: run, cipher, db)
            if isWhole { next = last + 1 }
            return !isWhole || left.isEmpty
        }
    }

    /// Re-encrypts payloads unless other processes have done so or deleted them.
    ///
    /// Returns false if the transaction had no room for all of them; ``next`` is then the first
    /// remaining one.
    private mutating func reseal(
        _ numbers: ArraySlice<Int>, of run: Int64, _ cipher: PayloadCipher,
        _ db: any SQLConnection
    ) throws -> Bool {
        var sealed: [(number: Int, bytes: [UInt8])] = []
        var isWhole = true
        try db.stream(
            """
            SELECT n.number, n.id, n.sealed, r.name FROM notifications n
            LEFT JOIN recipients r ON r.run = ?1 AND r.number = n.number
            WHERE n.run = ?1 AND n.number \(db.dialect.isAmong("?2")) AND n.sealed IS NOT NULL
            ORDER BY n.number
            """, [run, StoredJSON.encode(Array(numbers))]
        ) { row in
            guard isWhole else { return }
            let (number, bytes) = (try row.int(0), try row.bytes(2))
            guard !bytes.starts(with: cipher.namedHead) else { return }
            // A large value has separate pages, and does not fill the last one.
            room -= bytes.count > Self.page / 5 ? bytes.count + Self.page : bytes.count
            // At least one value is always re-encrypted.
            guard room >= 0 || payloads + unreadable == 0 else {
                (isWhole, next) = (false, number)
                return
            }
            let id = NotificationID(checked: try row.text(1))
            let recipient =
                number > 0 ? try row.optionalText(3).map { Username(checked: $0) } : nil
            do {
                let parts = try cipher.open(bytes, of: id, for: recipient)
                sealed.append((number, try cipher.seal(parts, of: id, for: recipient)))
                payloads += 1
            } catch is DamagedValue {
                unreadable += 1
            }
        }
        try db.reseal(sealed, of: run)
        return isWhole
    }
}
