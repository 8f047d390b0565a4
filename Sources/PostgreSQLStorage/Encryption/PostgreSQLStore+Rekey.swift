import CampaignCore
import PostgreSQLClient
package import Storage

extension PostgreSQLStore {
    package func rekey(
        _ progress: @escaping @Sendable (_ payloads: Int) -> Void
    ) async throws -> RekeyedPayloads {
        var rekeyed = RekeyedPayloads()
        let keyring = keyring
        guard try await read({ db in try keyring.cipherNow(db) }) != nil else { return rekeyed }
        // From now on nobody without the first key encrypts anything.
        let cipher = try await sealingCipher()
        guard cipher.hasEarlier else { return rekeyed }
        try await write { db in
            _ = try db.row("SELECT 1 FROM payload_key FOR UPDATE")
            guard let values = try PayloadKeyring.checkValue(db) else { return }
            try db.execute("UPDATE payload_key SET check_value = $1", [cipher.leading(values)])
        }
        // Hosts with the keys in another order may begin runs meanwhile, which are included.
        var (seen, done): (Set<Int64>, Set<Int64>) = ([], [])
        while !rekeyed.isOvertaken {
            let (runs, staging) = try await read { db in
                (try Self.runsWithPayloads(db), try Self.runsBeingStaged(db))
            }
            let next = runs.filter {
                !done.contains($0) && !(staging.contains($0) && seen.contains($0))
            }
            if next.isEmpty { break }
            for run in next { try await rekey(run, cipher, &rekeyed, progress) }
            seen.formUnion(next)
            done.formUnion(Set(next).subtracting(staging))
        }
        if rekeyed.isComplete {
            (rekeyed.isOvertaken, rekeyed.isStaging) = try await keepOnly(cipher, after: done)
        }
        return rekeyed
    }

    private func rekey(
        _ run: Int64, _ cipher: PayloadCipher, _ rekeyed: inout RekeyedPayloads,
        _ progress: @Sendable (_ payloads: Int) -> Void
    ) async throws {
        // The few shared ones have numbers below 1.
        var next: Int? = NotificationPlace.beforeAll
        while let first = next, !rekeyed.isOvertaken {
            try Task.checkCancellation()
            let step = try await write { db in try Self.rekey(from: first, of: run, cipher, db) }
            rekeyed.payloads += step.payloads
            rekeyed.unreadable += step.unreadable
            rekeyed.isOvertaken = step.isOvertaken
            next = step.next
            if step.payloads > 0 { progress(rekeyed.payloads) }
        }
    }

    /// Re-encrypts some of a run's payloads, after waiting for those who stage or purge the run.
    ///
    /// Returns how many, how many no key opens, whether another key is being introduced, and the
    /// next number (nil: done).
    private static func rekey(
        from first: Int, of run: Int64, _ cipher: PayloadCipher, _ db: PostgreSQLConnection
    ) throws -> (payloads: Int, unreadable: Int, isOvertaken: Bool, next: Int?) {
        // Nobody begins with another key until this is committed.
        let values = try db.row("SELECT check_value FROM payload_key FOR SHARE")?.bytes(0)
        guard cipher.isLeading(values) else { return (0, 0, true, nil) }
        _ = try db.row("SELECT 1 FROM runs WHERE key = $1 FOR UPDATE", [run])
        let rows = try db.rows(
            """
            SELECT n.number, n.id, n.sealed, r.name FROM notifications n
            LEFT JOIN recipients r ON r.run = $1 AND r.number = n.number
            WHERE n.run = $1 AND n.number >= $2 AND n.sealed IS NOT NULL
                AND substr(n.sealed, 1, $3::int) <> $4
            ORDER BY n.number LIMIT $5
            """,
            [run, first, cipher.namedHead.count, cipher.namedHead, transactionRows])
        var (numbers, sealed): ([Int], [[UInt8]]) = ([], [])
        for row in rows {
            let number = try row.int(0)
            let id = NotificationID(checked: try row.text(1))
            let recipient =
                number > 0 ? try row.optionalText(3).map { Username(checked: $0) } : nil
            let parts: SealedParts
            do {
                parts = try cipher.open(row.bytes(2), of: id, for: recipient)
            } catch is DamagedValue {
                continue
            }
            numbers.append(number)
            sealed.append(try cipher.seal(parts, of: id, for: recipient))
        }
        if !numbers.isEmpty {
            try db.execute(
                """
                UPDATE notifications n SET sealed = v.sealed
                FROM unnest($2::bigint[], $3::bytea[]) AS v (number, sealed)
                WHERE n.run = $1 AND n.number = v.number
                """, [run, numbers, sealed])
        }
        let last = try rows.last?.int(0)
        return (
            numbers.count, rows.count - numbers.count, false,
            rows.count == transactionRows ? last.map { $0 + 1 } : nil
        )
    }

    /// Has the store work with the first key alone, which also encrypts the key for forgotten
    /// names.
    ///
    /// Returns why not: somebody began to use another key, or to stage a run.
    private func keepOnly(
        _ cipher: PayloadCipher, after done: Set<Int64>
    ) async throws -> (isOvertaken: Bool, isStaging: Bool) {
        let value = cipher.checkValue
        return try await write { db -> (isOvertaken: Bool, isStaging: Bool) in
            // No run begins until this is committed, and then without the earlier keys.
            try db.executeScript("LOCK TABLE runs IN SHARE MODE")
            _ = try db.row("SELECT 1 FROM payload_key FOR UPDATE")
            guard cipher.isLeading(try PayloadKeyring.checkValue(db)) else { return (true, false) }
            let isStaging = try !Self.runsBeingStaged(db).isEmpty
            guard try !isStaging && done.isSuperset(of: Self.runsWithPayloads(db)) else {
                return (false, true)
            }
            let hash = try nameHash(db).flatMap { try keyring.seal($0) }
            if let earlier = try earlierNameHash(db).flatMap({ try keyring.seal($0) }) {
                try db.execute("UPDATE store_origin SET forgotten_key = $1", [earlier])
            }
            try db.execute(
                "UPDATE payload_key SET check_value = $1, forgotten_key = $2", [value, hash])
            return (false, false)
        }
    }

    private static func runsWithPayloads(_ db: PostgreSQLConnection) throws -> [Int64] {
        try db.rows("SELECT key FROM runs WHERE purged IS NULL ORDER BY key").map {
            try $0.int64(0)
        }
    }

    private static func runsBeingStaged(_ db: PostgreSQLConnection) throws -> Set<Int64> {
        Set(
            try db.rows("SELECT key FROM runs WHERE state = $1", [RunState.staging.rawValue])
                .map { try $0.int64(0) })
    }
}
