import CampaignCore
import FoundationEssentials
import GRDB
package import Storage

extension SQLiteStore {
    package func rekey(
        _ progress: @escaping @Sendable (_ payloads: Int) -> Void
    ) async throws -> RekeyedPayloads {
        var rekeyed = RekeyedPayloads()
        guard try await read(keyring.cipherNow) != nil else { return rekeyed }
        // From now on nobody encrypts anything who has not the first key too.
        let cipher = try await sealingCipher()
        guard cipher.hasEarlier else { return rekeyed }
        let staging = try await read(Self.runsBeingStaged)
        for run in try await read(Self.runsWithPayloads) {
            try await rekey(run, cipher, &rekeyed, progress)
        }
        let left = try await read(Self.runsBeingStaged)
        for run in staging.subtracting(left) { try await rekey(run, cipher, &rekeyed, progress) }
        rekeyed.isStaging = !staging.isDisjoint(with: left)
        if rekeyed.isComplete {
            let value = cipher.checkValue
            try await write { [keyring] db in
                // Whoever exchanges keys too has added another one meanwhile.
                guard try keyring.cipherNow(db)?.isFirstKnown == true else { return }
                try keyring.keep(value, db)
            }
        }
        // The log still has the pages as they were.
        try await bringLogIn(isEmptied: true)
        return rekeyed
    }

    private func rekey(
        _ run: Int64, _ cipher: PayloadCipher, _ rekeyed: inout RekeyedPayloads,
        _ progress: @Sendable (_ payloads: Int) -> Void
    ) async throws {
        var pace = WritePace(most: Self.transactionRows)
        // The few that are shared have numbers below 1.
        var next: Int? = NotificationPlace.beforeAll
        while let first = next {
            try Task.checkCancellation()
            let step = try await pace.step { rows in
                try await write { db in
                    try Self.rekey(rows, from: first, of: run, cipher, db)
                }
            }
            rekeyed.payloads += step.payloads
            rekeyed.unreadable += step.unreadable
            next = step.next
            if step.payloads > 0 { progress(rekeyed.payloads) }
            if next != nil { try await WritePace.rest() }
        }
    }

    /// Encrypts some of a run's payloads anew.
    ///
    /// - Returns: how many, and how many none of the keys opens; the number with which the next ones begin; nil: there are none.
    private static func rekey(
        _ count: Int, from first: Int, of run: Int64, _ cipher: PayloadCipher, _ db: Database
    ) throws -> (payloads: Int, unreadable: Int, next: Int?) {
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT n.number, n.id, n.sealed, r.name FROM notifications n
                    LEFT JOIN recipients r ON r.run = n.run AND r.number = n.number
                    WHERE n.run = ? AND n.number >= ? AND n.sealed IS NOT NULL
                        AND substr(n.sealed, 1, ?) <> ?
                    ORDER BY n.number LIMIT ?
                    """),
            arguments: [
                run, first, cipher.namedHead.count, Data(cipher.namedHead), count,
            ])
        var (payloads, unreadable) = (0, 0)
        for row in rows {
            let (number, id): (Int, String) = (row[0], row[1])
            let (sealed, name): (Data, String?) = (row[2], row[3])
            let notification = NotificationID(checked: id)
            let recipient = number > 0 ? name.map { Username(checked: $0) } : nil
            let parts: SealedParts
            do {
                parts = try cipher.open(Array(sealed), of: notification, for: recipient)
            } catch is DamagedValue {
                unreadable += 1
                continue
            }
            let anew = try cipher.seal(parts, of: notification, for: recipient)
            try RunDigests.changing(notification: number, of: run, db) {
                try db.cachedStatement(
                    sql: "UPDATE notifications SET sealed = ? WHERE run = ? AND number = ?"
                ).execute(arguments: [Data(anew), run, number])
            }
            payloads += 1
        }
        let last: Int? = rows.last?[0]
        return (payloads, unreadable, rows.count == count ? last.map { $0 + 1 } : nil)
    }

    private static func runsWithPayloads(_ db: Database) throws -> [Int64] {
        try Int64.fetchAll(db, sql: "SELECT key FROM runs WHERE purged IS NULL ORDER BY key")
    }

    private static func runsBeingStaged(_ db: Database) throws -> Set<Int64> {
        try Int64.fetchSet(
            db, sql: "SELECT key FROM runs WHERE state = ?",
            arguments: [RunState.staging.rawValue])
    }
}
