package import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
package import Storage

extension PostgreSQLStore {
    /// Forgets a person for good: name, personal payloads, and ownership of registrations.
    ///
    /// Counts and numbers stay. What was not sent yet will not be sent. A hash of the name stays,
    /// which keeps the person out of later runs. Old row versions are vacuumed, as far as no
    /// transaction still sees them. The name remains in the write-ahead log until that is recycled,
    /// in replicas, archives and backups, and in free space, so ``ForgottenPerson/isErased`` is
    /// always false. Throws ``StoreError/locked(_:)`` while a process works on a campaign that goes
    /// to them.
    package func forget(_ person: Username, at now: Date) async throws -> ForgottenPerson {
        let time = StoredTime.milliseconds(now)
        // First, so that nobody writes the name again meanwhile.
        try await keepOut(person, at: time)
        var forgotten = ForgottenPerson()
        var tables: Set<String> = []
        for run in try await runs(to: person) {
            guard let found = try await forget(person, in: run, at: time) else { continue }
            forgotten.runs += 1
            if found.hadPayload { forgotten.payloads += 1 }
            tables.formUnion(found.tables)
        }
        forgotten.registrations = try await write { db in
            try db.execute("DELETE FROM registrations WHERE username = $1", [person.text])
        }
        if forgotten.registrations > 0 { tables.insert("registrations") }
        for table in tables.sorted() { try await vacuum(table) }
        return forgotten
    }

    private func keepOut(_ person: Username, at time: Int64) async throws {
        if try await read({ db in try nameHash(db) == nil }) {
            // First, since from now on the store knows its key, and refuses hosts with another.
            _ = try await sealingCipher()
        }
        let missing = StoreError.noForgottenKey(place, file: keyring.path)
        try await write { db in
            guard let hash = try nameHash(db) ?? keyring.nameHashes().first else { throw missing }
            for name in [Username.nameless, person] {
                try db.execute(
                    """
                    INSERT INTO forgotten (hash, forgotten) VALUES ($1, $2)
                    ON CONFLICT (hash) DO NOTHING
                    """, [Array(hash.hash(name)), time])
            }
        }
    }

    private func runs(to person: Username) async throws -> [Int64] {
        // One by one: a single statement would plan, and lock, the partitions of all runs.
        try await withoutTransaction { db in
            try db.rows("SELECT key FROM runs ORDER BY key").map { try $0.int64(0) }
                .filter { try PersonErasure.number(of: person, in: $0, db) != nil }
        }
    }

    /// Returns whether anything was rendered for them alone, and the changed tables; nil when the
    /// run does not go to them.
    private func forget(
        _ person: Username, in run: Int64, at time: Int64
    ) async throws -> (hadPayload: Bool, tables: Set<String>)? {
        let campaign = try await read { db in
            try db.row(
                "SELECT campaign FROM runs WHERE key = $1 AND state <> $2",
                [run, RunState.finished.rawValue])?.text(0)
        }
        var lock: (any HeldCampaignLock)?
        if let campaign {
            // A process that works on the run knows them by name.
            lock = try await campaignLock.acquire(campaign: campaign)
            guard lock != nil else { throw StoreError.locked(place) }
        }
        defer { lock?.release() }
        // First, while the name says whether there is something to do.
        let untagged = try await untag(person, in: run, at: time)
        let found = try await write { db -> (hadPayload: Bool, tables: Set<String>)? in
            guard var erasure = try PersonErasure(of: person, in: run, at: time, db) else {
                return nil
            }
            try erasure.eraseName()
            let hadPayload = try erasure.erasePayload()
            try erasure.endDeliveries()
            try erasure.untagReason()
            return (hadPayload, erasure.tables)
        }
        return found.map { ($0.hadPayload, $0.tables.union(untagged)) }
    }

    /// Removes a person from others' outcomes; their own are cut where their name begins.
    private func untag(
        _ person: Username, in run: Int64, at time: Int64
    ) async throws -> Set<String> {
        // A long read that blocks no writers, and usually finds nothing.
        let places = try await read(isLong: true) { db -> [(platform: Int, number: Int)] in
            guard let own = try PersonErasure.number(of: person, in: run, db) else { return [] }
            return try db.rows(
                """
                SELECT platform, number FROM deliveries
                WHERE run = $1 AND number <> $3 AND strpos(detail, $2) > 0
                ORDER BY platform, number
                """, [run, person.tag, own]
            ).map { (platform: try $0.int(0), number: try $0.int(1)) }
        }
        var tables: Set<String> = []
        for first in stride(from: 0, to: places.count, by: Self.transactionRows) {
            let part = places[first..<min(first + Self.transactionRows, places.count)]
            tables.formUnion(
                try await write { db -> Set<String> in
                    guard var erasure = try PersonErasure(of: person, in: run, at: time, db) else {
                        return []
                    }
                    try erasure.untag(part)
                    return erasure.tables
                })
        }
        return tables
    }

    /// Removes old versions of a table's rows, while others work.
    private func vacuum(_ table: String) async throws {
        do {
            try await withoutTransaction { db in
                try db.executeScript("VACUUM (INDEX_CLEANUP ON, TRUNCATE OFF) \(table)")
            }
        } catch {
            // Somebody else vacuums or changes it; then the server does it later.
            guard case StoreError.locked = error else { throw error }
        }
    }
}
