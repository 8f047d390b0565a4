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
        // From now on nobody encrypts anything who has not the first key too.
        let cipher = try await sealingCipher()
        guard cipher.hasEarlier else { return rekeyed }
        let staging = try await runsBeingStaged()
        let runs = try await read { db in
            try db.rows("SELECT key FROM runs WHERE purged IS NULL ORDER BY key").map {
                try $0.int64(0)
            }
        }
        for run in runs { try await rekey(run, cipher, &rekeyed, progress) }
        let left = try await runsBeingStaged()
        for run in staging.subtracting(left) { try await rekey(run, cipher, &rekeyed, progress) }
        rekeyed.isStaging = !staging.isDisjoint(with: left)
        if rekeyed.isComplete { try await keepOnly(cipher) }
        return rekeyed
    }

    private func rekey(
        _ run: Int64, _ cipher: PayloadCipher, _ rekeyed: inout RekeyedPayloads,
        _ progress: @Sendable (_ payloads: Int) -> Void
    ) async throws {
        // The few that are shared have numbers below 1.
        var next: Int? = NotificationPlace.beforeAll
        while let first = next {
            try Task.checkCancellation()
            let step = try await write { db in try Self.rekey(from: first, of: run, cipher, db) }
            rekeyed.payloads += step.payloads
            rekeyed.unreadable += step.unreadable
            next = step.next
            if step.payloads > 0 { progress(rekeyed.payloads) }
        }
    }

    /// Encrypts some of a run's payloads anew; whoever stages or purges the run is waited for.
    ///
    /// - Returns: how many, and how many none of the keys opens; the number with which the next ones begin; nil: there are none.
    private static func rekey(
        from first: Int, of run: Int64, _ cipher: PayloadCipher, _ db: PostgreSQLConnection
    ) throws -> (payloads: Int, unreadable: Int, next: Int?) {
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
            numbers.count, rows.count - numbers.count,
            rows.count == transactionRows ? last.map { $0 + 1 } : nil
        )
    }

    /// Has the store work with the first key alone.
    ///
    /// What recognises names that were forgotten was derived from an earlier one, or is
    /// encrypted under it: it is encrypted under the first.
    private func keepOnly(_ cipher: PayloadCipher) async throws {
        let value = cipher.checkValue
        try await write { db in
            _ = try db.row("SELECT 1 FROM payload_key FOR UPDATE")
            // Whoever exchanges keys too has added another one meanwhile.
            guard try keyring.cipherNow(db)?.isFirstKnown == true else { return }
            let hash = try nameHash(db).flatMap { try keyring.seal($0) }
            if let earlier = try earlierNameHash(db).flatMap({ try keyring.seal($0) }) {
                try db.execute("UPDATE store_origin SET forgotten_key = $1", [earlier])
            }
            try db.execute(
                "UPDATE payload_key SET check_value = $1, forgotten_key = $2", [value, hash])
        }
    }

    private func runsBeingStaged() async throws -> Set<Int64> {
        try await read { db in
            Set(
                try db.rows(
                    "SELECT key FROM runs WHERE state = $1", [RunState.staging.rawValue]
                ).map { try $0.int64(0) })
        }
    }
}
