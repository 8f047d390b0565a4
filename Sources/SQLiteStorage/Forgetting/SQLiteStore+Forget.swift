package import CampaignCore
package import FoundationEssentials
import GRDB
package import Storage

extension SQLiteStore {
    /// The largest file in bytes that is rewritten while others wait for about a second.
    private static let quicklyRewritten = 64 << 20

    /// Forgets a person for good: name, personal payloads, and ownership of registrations.
    ///
    /// Counts and numbers stay. What was not sent yet will not be sent. A hash of the name stays,
    /// which keeps the person out of later runs. Throws ``StoreError/locked(_:)`` while a process
    /// works on a campaign that goes to them.
    package func forget(_ person: Username, at now: Date) async throws -> ForgottenPerson {
        let time = StoredTime.milliseconds(now)
        // First, so that nobody writes the name again meanwhile.
        try await keepOut(person, at: time)
        var forgotten = ForgottenPerson()
        for run in try await read({ db in try Int64.fetchAll(db, sql: "SELECT key FROM runs") }) {
            guard let payload = try await forget(person, in: run, at: time) else { continue }
            forgotten.runs += 1
            if payload { forgotten.payloads += 1 }
        }
        forgotten.registrations = try await write { db in
            try db.execute(
                sql: "DELETE FROM registrations WHERE user = ?", arguments: [person.text])
            return db.changesCount
        }
        forgotten.isErased = try await erase(Array(person.text.utf8))
        return forgotten
    }

    private func keepOut(_ person: Username, at time: Int64) async throws {
        let known = try await read(nameHash)
        let hash = try known ?? NameHash(forgottenKey.readOrMake().key)
        try await write { db in
            let insert = try db.cachedStatement(
                sql: "INSERT OR IGNORE INTO forgotten (hash, forgotten) VALUES (?, ?)")
            // Another process may have been the first, with its own key.
            if let first = try nameHash(db) {
                try insert.execute(arguments: [first.hash(person), time])
                return
            }
            try insert.execute(arguments: [hash.hash(.nameless), time])
            try insert.execute(arguments: [hash.hash(person), time])
        }
    }

    /// Whether anything was rendered for them alone; nil when the run does not go to them.
    private func forget(
        _ person: Username, in run: Int64, at time: Int64
    ) async throws -> Bool? {
        let lock = try await read { [inode] db -> HeldStoreLock? in
            let row = try Row.fetchOne(
                db, sql: "SELECT campaign FROM runs WHERE key = ? AND state <> ?",
                arguments: [run, RunState.finished.rawValue])
            guard let row, try RecipientOrder.number(of: person, in: run, db) != nil else {
                return nil
            }
            // A process that works on the run knows them by name.
            guard let lock = try inode.take(campaign: row[0]) else {
                throw StoreError.locked(inode.place)
            }
            return lock
        }
        defer { lock?.release() }
        guard let number = try await read({ try RecipientOrder.number(of: person, in: run, $0) })
        else { return nil }
        // First, while the name says whether there is something to do.
        try await untag(person, number, in: run)
        return try await save { db -> Bool? in
            guard let number = try RecipientOrder.number(of: person, in: run, db) else {
                return nil
            }
            try RunDigests.changing(recipient: number, of: run, db) {
                try db.execute(
                    sql: "UPDATE recipients SET name = '' WHERE run = ? AND number = ?",
                    arguments: [run, number])
            }
            var hadPayload = false
            try RunDigests.changing(notification: number, of: run, db) {
                try db.execute(sql: Self.emptying, arguments: [time, run, number])
                hadPayload = db.changesCount > 0
            }
            try Self.endDeliveries(of: person, number, in: run, at: time, db)
            try Self.untagReason(of: run, person, db)
            return hadPayload
        }
    }

    /// Removes the person from service messages about several people, which others' outcomes
    /// repeat.
    private func untag(_ person: Username, _ number: Int, in run: Int64) async throws {
        // A long read that blocks no writers, and usually finds nothing.
        let rows = try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT platform, number FROM deliveries
                    WHERE run = ? AND number <> ? AND instr(detail, ?) > 0
                    """,
                arguments: [run, number, person.tag]
            ).map { (platform: $0[0] as Int, number: $0[1] as Int) }
        }
        guard !rows.isEmpty else { return }
        try await save { db in
            let query = try db.cachedStatement(
                sql: "SELECT detail FROM deliveries WHERE run = ? AND platform = ? AND number = ?")
            let update = try db.cachedStatement(
                sql: """
                    UPDATE deliveries SET detail = ? WHERE run = ? AND platform = ? AND number = ?
                    """)
            var change: Int64 = 0
            for (platform, number) in rows {
                let place: StatementArguments = [run, platform, number]
                guard let detail = try String.fetchOne(query, arguments: place) else { continue }
                let kept = String(decoding: person.untagged(Array(detail.utf8)), as: UTF8.self)
                let digest = try DeliveryDigest(of: run, on: platform, db)
                change &-= try digest.digest(of: number)
                try update.execute(arguments: [kept] + place)
                change &+= try digest.digest(of: number)
            }
            try RunDigests.add(deliveries: change, to: run, db)
        }
    }

    /// Removes the person from the reason of a pause, which can be a service message about their
    /// request.
    private static func untagReason(of run: Int64, _ person: Username, _ db: Database) throws {
        let reason = try String.fetchOne(
            db, sql: "SELECT reason FROM runs WHERE key = ?", arguments: [run])
        guard let reason else { return }
        let kept = String(decoding: person.untagged(Array(reason.utf8)), as: UTF8.self)
        guard kept != reason else { return }
        try db.execute(sql: "UPDATE runs SET reason = ? WHERE key = ?", arguments: [kept, run])
        try RowSeal.renew(run: run, db)
    }

    /// Ends what has no outcome yet, and removes the person from outcomes.
    private static func endDeliveries(
        of person: Username, _ number: Int, in run: Int64, at time: Int64, _ db: Database
    ) throws {
        let state = try String.fetchOne(
            db, sql: "SELECT state FROM runs WHERE key = ?", arguments: [run])
        // A run that is being staged has no outcomes, and is staged anew.
        guard state != RunState.staging.rawValue else { return }
        let positions = try Int.fetchAll(
            db, sql: "SELECT position FROM run_platforms WHERE run = ?", arguments: [run])
        var change: Int64 = 0
        for position in positions {
            let digest = try DeliveryDigest(of: run, on: position, db)
            change &-= try digest.digest(of: number)
            let arguments: StatementArguments = [
                "run": run, "platform": position, "number": number, "time": time,
                "detail": SkipReason.forgotten.rawValue,
            ]
            try db.execute(sql: ended, arguments: arguments + ["name": person.text])
            if db.changesCount == 0 { try db.execute(sql: unbegun, arguments: arguments) }
            change &+= try digest.digest(of: number)
        }
        try RunDigests.add(deliveries: change, to: run, db)
    }

    private static let emptying = """
        UPDATE notifications SET type = NULL, message = NULL, texts = NULL, content = NULL,
            sealed = NULL, language = NULL, revoked = coalesce(revoked, ?)
        WHERE run = ? AND number = ?
        """

    /// A delivery with a row, in which a service message may name the person.
    private static let ended = """
        UPDATE deliveries SET
            state = CASE WHEN state >= 2 THEN state
                WHEN state = \(DeliveryState.sending.rawValue) OR is_uncertain
                    THEN \(Outcome.unknown.stored)
                ELSE \(Outcome.skipped.stored) END,
            attempts = attempts + (state = \(DeliveryState.sending.rawValue)),
            is_uncertain = is_uncertain OR state = \(DeliveryState.sending.rawValue),
            recorded = iif(state < 2, :time, recorded),
            detail = CASE WHEN state < 2 THEN :detail
                WHEN instr(detail, :name) > 0 THEN substr(detail, 1, instr(detail, :name) - 1)
                ELSE detail END,
            hub_message = NULL
        WHERE run = :run AND platform = :platform AND number = :number
        """

    private static let isClaimed = ClaimedRanges.isClaimed(":number")

    /// A delivery without a row: a claimed one may have been sent.
    private static let unbegun = """
        INSERT INTO deliveries (run, platform, number, state, attempts, is_uncertain, recorded,
            detail)
        SELECT p.run, p.position, :number,
            iif(\(isClaimed), \(Outcome.unknown.stored),
                \(Outcome.skipped.stored)),
            \(isClaimed), \(isClaimed), :time, :detail
        FROM run_platforms p WHERE p.run = :run AND p.position = :platform
        """

    /// Makes sure that bytes are nowhere in the file, where earlier versions of its pages may have
    /// left them.
    private func erase(_ bytes: [UInt8]) async throws -> Bool {
        try await bringLogIn(isEmptied: true)
        if try inode.contains(bytes) {
            guard try inode.size() <= Self.quicklyRewritten || inode.isAlone() else { return false }
            try await writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
            try await bringLogIn(isEmptied: true)
        }
        return try StoreFiles(path: path, owner: 0).size(ofSide: "-wal") == 0
    }
}
