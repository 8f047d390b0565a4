import CampaignCore
import FoundationEssentials
import GRDB
package import Storage

extension SQLiteStore {
    private static let page = 4_096

    package func rekey(
        _ progress: @escaping @Sendable (_ payloads: Int) -> Void
    ) async throws -> RekeyedPayloads {
        try await rekey(pace: WritePace(most: Self.transactionRows), progress)
    }

    func rekey(
        pace: WritePace, _ progress: @Sendable (_ payloads: Int) -> Void
    ) async throws -> RekeyedPayloads {
        var pace = pace
        var rekeyed = RekeyedPayloads()
        guard try await read(keyring.cipherNow) != nil else { return rekeyed }
        // From now on nobody without the first key encrypts anything.
        let cipher = try await sealingCipher()
        guard cipher.hasEarlier else { return rekeyed }
        try await write { [keyring] db in
            guard let values = try PayloadKeyring.checkValue(db) else { return }
            try keyring.keep(cipher.leading(values), db)
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
            for run in next {
                try await rekey(run, cipher, &rekeyed, pace: &pace, progress)
            }
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
        // The log still has the old pages.
        try await bringLogIn(isEmptied: true)
        return rekeyed
    }

    /// Re-encrypts a run's payloads that another key encrypted.
    ///
    /// Outdated ones are searched for outside of transactions, so that others can write, and a
    /// finished run needs no transaction.
    func rekey(
        _ run: Int64, _ cipher: PayloadCipher, _ rekeyed: inout RekeyedPayloads,
        pace: inout WritePace, _ progress: @Sendable (_ payloads: Int) -> Void
    ) async throws {
        // The few shared ones have numbers below 1.
        var first = NotificationPlace.beforeAll
        while !rekeyed.isOvertaken {
            try Task.checkCancellation()
            let numbers = try await read { [first, most = pace.amount] db in
                try Self.outdated(most, from: first, of: run, cipher, db)
            }
            guard let last = numbers.last else { return }
            // Then the log begins anew, and needs little more room than one transaction.
            try await bringLogIn(isEmptied: false)
            let step = try await pace.step { turn in
                try await write { db in
                    var step = RekeyStep(numbers)
                    guard cipher.isLeading(try PayloadKeyring.checkValue(db)) else {
                        step.isOvertaken = true
                        return step
                    }
                    try turn.parts { rows in
                        for number in step.left.prefix(rows) {
                            guard try Self.rekey(number, of: run, cipher, &step, db) else {
                                return true
                            }
                            step.left.removeFirst()
                        }
                        return step.left.isEmpty
                    }
                    return step
                }
            }
            rekeyed.payloads += step.payloads
            rekeyed.unreadable += step.unreadable
            rekeyed.isOvertaken = step.isOvertaken
            first = step.left.first ?? last + 1
            if step.payloads > 0 { progress(rekeyed.payloads) }
        }
    }

    /// Re-encrypts a payload unless others did or deleted it; false: this transaction has no room
    /// for it.
    private static func rekey(
        _ number: Int, of run: Int64, _ cipher: PayloadCipher, _ step: inout RekeyStep,
        _ db: Database
    ) throws -> Bool {
        let found = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT n.id, n.sealed, r.name FROM notifications n
                    LEFT JOIN recipients r ON r.run = n.run AND r.number = n.number
                    WHERE n.run = ? AND n.number = ? AND n.sealed IS NOT NULL
                    """),
            arguments: [run, number])
        guard let found else { return true }
        let (id, sealed, name): (String, Data, String?) = (found[0], found[1], found[2])
        guard !sealed.starts(with: cipher.namedHead) else { return true }
        // A value that is too large has its own pages; the last one is not full.
        step.room -= sealed.count > page / 5 ? sealed.count + page : sealed.count
        // At least one.
        guard step.room >= 0 || step.payloads + step.unreadable == 0 else { return false }
        let notification = NotificationID(checked: id)
        let recipient = number > 0 ? name.map { Username(checked: $0) } : nil
        let parts: SealedParts
        do {
            parts = try cipher.open(Array(sealed), of: notification, for: recipient)
        } catch is DamagedValue {
            step.unreadable += 1
            return true
        }
        let anew = try cipher.seal(parts, of: notification, for: recipient)
        try RunDigests.changing(notification: number, of: run, db) {
            try db.cachedStatement(
                sql: "UPDATE notifications SET sealed = ? WHERE run = ? AND number = ?"
            ).execute(arguments: [Data(anew), run, number])
        }
        step.payloads += 1
        return true
    }

    /// The numbers of a run's next payloads of other keys, at least one if there is any.
    private static func outdated(
        _ most: Int, from first: Int, of run: Int64, _ cipher: PayloadCipher, _ db: Database
    ) throws -> [Int] {
        try Int.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT number FROM notifications
                    WHERE run = ? AND number >= ? AND sealed IS NOT NULL
                        AND substr(sealed, 1, ?) <> ?
                    ORDER BY number LIMIT ?
                    """),
            arguments: [run, first, cipher.namedHead.count, Data(cipher.namedHead), most])
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

private struct RekeyStep {
    var payloads = 0
    /// Payloads that no key opens.
    var unreadable = 0
    /// How many bytes it may still write.
    var room = SQLiteStore.transactionBytes
    /// Whether somebody began to use another key.
    var isOvertaken = false
    /// The numbers that are left to the next step.
    var left: ArraySlice<Int>

    init(_ numbers: [Int]) {
        left = numbers[...]
    }
}
