package import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
package import Storage

extension PostgreSQLStore {
    /// Forgets a person for good: their name, what was rendered for them, and whose registrations were theirs.
    ///
    /// What was counted stays, without a name; nobody's number changes. What they have not been sent yet, they are not sent. A hash
    /// of the name stays, which keeps them out of later runs.
    ///
    /// No row names them when it returns, and the old versions of the rows that did are vacuumed away, as far as no transaction
    /// still sees them. Nobody can promise more of a server: the name stays in its write-ahead log until that is recycled, in
    /// what replicas, archives and backups have of it, and in the free space of its data files until that is written over. So
    /// ``ForgottenPerson/isErased`` is always false.
    ///
    /// - Parameters:
    ///   - person: who; it can be repeated.
    ///   - now: the current time.
    /// - Returns: what was found.
    /// - Throws: ``StoreError``; ``StoreError/locked(_:)`` while a process works on a campaign that goes to them.
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
            // The first: from now on the store knows its key, and hosts with another are refused.
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

    /// The keys of the runs that go to a person.
    private func runs(to person: Username) async throws -> [Int64] {
        // Each by itself: one statement would plan, and lock, the partitions of all runs.
        try await withoutTransaction { db in
            try db.rows("SELECT key FROM runs ORDER BY key").map { try $0.int64(0) }
                .filter { try PersonErasure.number(of: person, in: $0, db) != nil }
        }
    }

    /// Forgets a person in one run.
    ///
    /// - Returns: whether anything was rendered for them alone, and which tables were changed; nil when the run does not go to them.
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
        // First, while the name says that there may be something to do.
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

    /// Takes a person out of what stands in others' outcomes; their own are cut where their name begins.
    ///
    /// - Returns: which tables were changed.
    private func untag(
        _ person: Username, in run: Int64, at time: Int64
    ) async throws -> Set<String> {
        // A long look that keeps nobody from writing, and as a rule finds nothing.
        let places = try await read { db -> [(platform: Int, number: Int)] in
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

    /// Removes the old versions of a table's rows, and all that leads to them, beside others' work.
    private func vacuum(_ table: String) async throws {
        do {
            try await withoutTransaction { db in
                try db.executeScript("VACUUM (INDEX_CLEANUP ON, TRUNCATE OFF) \(table)")
            }
        } catch {
            // Somebody else vacuums it, or changes it: then the server does it later by itself.
            guard case StoreError.locked = error else { throw error }
        }
    }
}
