import CampaignCore
import FoundationEssentials
import GRDB
package import Storage

extension SQLiteStore {
    /// How many bytes a page of the file has.
    private static let page = 4_096

    package func rekey(
        _ progress: @escaping @Sendable (_ payloads: Int) -> Void
    ) async throws -> RekeyedPayloads {
        var rekeyed = RekeyedPayloads()
        guard try await read(keyring.cipherNow) != nil else { return rekeyed }
        // From now on nobody encrypts anything who has not the first key too.
        let cipher = try await sealingCipher()
        guard cipher.hasEarlier else { return rekeyed }
        try await write { [keyring] db in
            guard let values = try PayloadKeyring.checkValue(db) else { return }
            try keyring.keep(cipher.leading(values), db)
        }
        // A host that has the keys in another order may begin runs meanwhile: these come too.
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
            let value = cipher.checkValue
            let end = try await write {
                [keyring, done] db -> (isOvertaken: Bool, isStaging: Bool) in
                guard cipher.isLeading(try PayloadKeyring.checkValue(db)) else {
                    return (true, false)
                }
                let isStaging = try !Self.runsBeingStaged(db).isEmpty
                guard try !isStaging && done.isSuperset(of: Self.runsWithPayloads(db)) else {
                    return (false, true)
                }
                try keyring.keep(value, db)
                return (false, false)
            }
            (rekeyed.isOvertaken, rekeyed.isStaging) = end
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
        while let first = next, !rekeyed.isOvertaken {
            try Task.checkCancellation()
            // The log begins anew then, so that it takes little more room than one transaction.
            try await bringLogIn(isEmptied: false)
            let step = try await pace.step { turn in
                try await write { db in
                    var step = RekeyStep(next: first)
                    try turn.parts { rows in
                        try Self.rekey(rows, of: run, cipher, &step, db)
                        return step.next == nil || step.room <= 0
                    }
                    return step
                }
            }
            rekeyed.payloads += step.payloads
            rekeyed.unreadable += step.unreadable
            rekeyed.isOvertaken = step.isOvertaken
            next = step.next
            if step.payloads > 0 { progress(rekeyed.payloads) }
            if next != nil { try await pace.rest() }
        }
    }

    /// Encrypts some more of a run's payloads anew.
    private static func rekey(
        _ count: Int, of run: Int64, _ cipher: PayloadCipher, _ step: inout RekeyStep,
        _ db: Database
    ) throws {
        guard let first = step.next else { return }
        guard cipher.isLeading(try PayloadKeyring.checkValue(db)) else {
            (step.isOvertaken, step.next) = (true, nil)
            return
        }
        let (rows, hasMore) = try outdated(count, from: first, of: run, cipher, &step.room, db)
        for row in rows {
            let (number, id): (Int, String) = (row[0], row[1])
            let (sealed, name): (Data, String?) = (row[2], row[3])
            let notification = NotificationID(checked: id)
            let recipient = number > 0 ? name.map { Username(checked: $0) } : nil
            let parts: SealedParts
            do {
                parts = try cipher.open(Array(sealed), of: notification, for: recipient)
            } catch is DamagedValue {
                step.unreadable += 1
                continue
            }
            let anew = try cipher.seal(parts, of: notification, for: recipient)
            try RunDigests.changing(notification: number, of: run, db) {
                try db.cachedStatement(
                    sql: "UPDATE notifications SET sealed = ? WHERE run = ? AND number = ?"
                ).execute(arguments: [Data(anew), run, number])
            }
            step.payloads += 1
        }
        let last: Int? = rows.last?[0]
        step.next = hasMore ? last.map { $0 + 1 } : nil
    }

    /// Payloads of a run that are not encrypted with the first key, at least one if there is any.
    ///
    /// - Parameter room: the bytes that the transaction may still write; what the rows take is taken off.
    /// - Returns: the rows, and whether others may follow them.
    private static func outdated(
        _ count: Int, from first: Int, of run: Int64, _ cipher: PayloadCipher,
        _ room: inout Int, _ db: Database
    ) throws -> (rows: [Row], hasMore: Bool) {
        let cursor = try Row.fetchCursor(
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
        var rows: [Row] = []
        while let row = try cursor.next() {
            let sealed: Data = row[2]
            // What is too large to stand in a page with others has pages of its own, and the last of them is not full.
            room -= sealed.count > page / 5 ? sealed.count + page : sealed.count
            if !rows.isEmpty, room < 0 { return (rows, true) }
            rows.append(row.copy())
        }
        return (rows, rows.count == count)
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

/// What one transaction has encrypted anew.
private struct RekeyStep {
    var payloads = 0
    /// Those that none of the keys opens.
    var unreadable = 0
    /// How many bytes it may still write.
    var room = SQLiteStore.transactionBytes
    /// Whether somebody began to encrypt all with another key.
    var isOvertaken = false
    /// The number with which the next ones begin; nil: these were the last ones.
    var next: Int?

    init(next: Int) {
        self.next = next
    }
}
