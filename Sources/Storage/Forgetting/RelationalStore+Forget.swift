package import CampaignCore
package import FoundationEssentials

extension RelationalStore where Self: UpkeepDriver {
    /// Permanently forgets a person: the name, personal payloads, and the ownership of
    /// registrations.
    ///
    /// Counts and numbers remain. Pushes that have not been sent yet will not be sent. A hash of
    /// the name remains, which keeps the person out of later runs. Throws ``StoreError/locked(_:)``
    /// while a process works on a campaign that includes the person.
    package func forget(_ person: Username, at now: Date) async throws -> ForgottenPerson {
        let time = StoredTime.milliseconds(now)
        // This is done first, so that other processes cannot write the name again.
        try await keepOut(person, at: time)
        var forgotten = ForgottenPerson()
        var changed: [Int64: Set<String>] = [:]
        for run in try await runs(to: person) {
            guard let tables = try await forget(person, in: run, at: time) else { continue }
            changed[run] = tables
            if tables.contains("notifications") { forgotten.payloads += 1 }
        }
        forgotten.runs = changed.count
        forgotten.registrations = try await update { db in
            try db.run(
                "DELETE FROM registrations WHERE \(db.dialect.owner) = ?1", [person.text])
        }
        forgotten.isErased = try await eraseRemains(
            of: person, in: changed, hadRegistrations: forgotten.registrations > 0)
        return forgotten
    }

    private func keepOut(_ person: Username, at time: Int64) async throws {
        var hash = try await query(nameHash)
        if hash == nil { hash = try await firstNameHash() }
        try await update { [hash] db in
            // Another process may have been first, with its own key.
            guard let hash = try nameHash(db) ?? hash else { throw DamagedValue() }
            for name in [Username.nameless, person] { try hash.note(name, at: time, db) }
        }
    }

    /// The hash that recognises forgotten names; nil if nobody has been forgotten.
    ///
    /// Throws ``StoreError/noForgottenKey(_:file:)``, even if a command could supply the key.
    package func nameHash(_ db: any SQLConnection) throws -> NameHash? {
        guard try db.hasRow("SELECT 1 FROM forgotten LIMIT 1") else { return nil }
        let right = try nameHashes(db).first { hash in
            try db.hasRow(
                "SELECT 1 FROM forgotten WHERE hash = ?1", [Array(hash.hash(.nameless))])
        }
        guard let right else { throw missingNameKey }
        return right
    }

    package var missingNameKey: StoreError { .noForgottenKey(place, file: nameKeyPath) }

    private func runs(to person: Username) async throws -> [Int64] {
        let groups = try await query { db in
            RunsAtOnce.all(
                try db.rows("SELECT key FROM runs ORDER BY key") { try $0.int64(0) }, db)
        }
        var found: [Int64] = []
        for runs in groups {
            found += try await query { db in
                try runs.filter { try PersonErasure.number(of: person, in: $0, db) != nil }
            }
        }
        return found
    }

    /// Returns the changed tables; nil if the person is not in the run.
    private func forget(
        _ person: Username, in run: Int64, at time: Int64
    ) async throws -> Set<String>? {
        let campaign = try await query { db in
            try db.row(
                "SELECT campaign FROM runs WHERE key = ?1 AND state <> ?2",
                [run, RunState.finished.rawValue]
            ) { try $0.text(0) }
        }
        var lock: (any HeldCampaignLock)?
        if let campaign {
            // A process that is sending the run has the name in memory.
            lock = try await campaignLock.acquire(campaign: campaign)
            guard lock != nil else { throw StoreError.locked(place) }
        }
        defer { lock?.release() }
        // This is done first, while the name still shows whether there is anything to do.
        try await untag(person, in: run, at: time)
        return try await update(isOfRun: true) { db in
            try PersonErasure(of: person, in: run, at: time, db)?.erase()
        }
    }

    /// Removes a person's name from the outcomes of other people.
    private func untag(_ person: Username, in run: Int64, at time: Int64) async throws {
        // This is a long read, but it blocks no writers and usually finds nothing.
        let places = try await query(isLong: true) { db -> [(platform: Int, number: Int)] in
            guard let own = try PersonErasure.number(of: person, in: run, db) else { return [] }
            return try db.rows(
                """
                SELECT platform, number FROM deliveries
                WHERE run = ?1 AND number <> ?2 AND \(db.dialect.position)(detail, ?3) > 0
                ORDER BY platform, number
                """, [run, own, person.tag]
            ) { (platform: try $0.int(0), number: try $0.int(1)) }
        }
        let most = 1_000
        for first in stride(from: 0, to: places.count, by: most) {
            let part = places[first...].prefix(most)
            try await update(isOfRun: true) { db in
                try PersonErasure(of: person, in: run, at: time, db)?.untag(part)
            }
        }
    }
}

extension NameHash {
    /// Keeps a name out of later runs; the hash of the empty name identifies the key.
    package func note(_ name: Username, at time: Int64, _ db: any SQLConnection) throws {
        try db.run(
            "INSERT INTO forgotten (hash, forgotten) VALUES (?1, ?2) ON CONFLICT (hash) DO NOTHING",
            [Array(hash(name)), time])
    }
}
