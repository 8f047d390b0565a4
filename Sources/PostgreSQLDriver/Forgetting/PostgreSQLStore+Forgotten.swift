package import CampaignCore
import PostgreSQLClient
package import Storage

extension PostgreSQLStore {
    package func forgotten(among people: [Username]) async throws -> Set<Username> {
        try await read { db in
            guard !people.isEmpty, let hash = try nameHash(db) else { return [] }
            return try Self.forgotten(among: people, by: hash, db)
                .union(
                    earlierNameHash(db).map { try Self.forgotten(among: people, by: $0, db) } ?? [])
        }
    }

    private static func forgotten(
        among people: [Username], by hash: NameHash, _ db: PostgreSQLConnection
    ) throws -> Set<Username> {
        let hashes = people.map { Array(hash.hash($0)) }
        let found = Set(
            try db.rows("SELECT hash FROM forgotten WHERE hash = ANY($1)", [hashes])
                .map { try $0.bytes(0) })
        return Set(zip(people, hashes).filter { found.contains($1) }.map(\.0))
    }

    /// The hash of names that were forgotten in the file from which the store was filled, with its
    /// own key.
    private func earlierNameHash(_ db: any SQLConnection) throws -> NameHash? {
        guard let sealed = try StoreOrigin.forgottenKey(db) else { return nil }
        guard let hash = try keyring.nameHash(sealed: sealed) else {
            throw StoreError.noForgottenKey(place, file: keyring.path)
        }
        return hash
    }

    /// By the payload key at the time of the first forgotten person.
    ///
    /// Throws ``StoreError/noForgottenKey(_:file:)``, also where a command would have to give the
    /// key.
    package func nameHash(_ db: any SQLConnection) throws -> NameHash? {
        guard try db.hasRow("SELECT 1 FROM forgotten LIMIT 1") else { return nil }
        let missing = StoreError.noForgottenKey(place, file: keyring.path)
        var hashes = try keyring.nameHashes()
        let sealed = try db.row("SELECT forgotten_key FROM payload_key") { row in
            try row.optionalBytes(0)
        }
        if let sealed = sealed ?? nil, let kept = try keyring.nameHash(sealed: sealed) {
            hashes.append(kept)
        }
        let right = try hashes.first { hash in
            try db.hasRow(
                "SELECT 1 FROM forgotten WHERE hash = ?1", [Array(hash.hash(.nameless))])
        }
        guard let right else { throw missing }
        return right
    }

    package func firstNameHash() async throws -> NameHash {
        // From now on the store knows its key, and refuses hosts with another.
        _ = try await sealingCipher()
        guard let hash = try keyring.nameHashes().first else {
            throw StoreError.noForgottenKey(place, file: keyring.path)
        }
        return hash
    }

    package func resealNameHashes(_ db: any SQLConnection) throws {
        let hash = try nameHash(db).flatMap { try keyring.seal($0) }
        if let earlier = try earlierNameHash(db).flatMap({ try keyring.seal($0) }) {
            try db.run("UPDATE store_origin SET forgotten_key = ?1", [earlier])
        }
        try db.run("UPDATE payload_key SET forgotten_key = ?1", [hash])
    }

    /// Vacuums the changed tables, as far as no transaction still sees the earlier versions.
    ///
    /// The name remains in the write-ahead log until that is recycled, in replicas, archives and
    /// backups, and in free space.
    package func eraseRemains(
        of person: Username, in changed: [Int64: Set<String>], hadRegistrations: Bool
    ) async throws -> Bool {
        let tables = changed.flatMap { run, tables in
            tables.map { table in
                StoreSchema.partitioned.contains(table)
                    ? RunPartitions.table(table, of: run) : table
            }
        }
        let others = hadRegistrations ? ["registrations"] : []
        for table in Set(tables + others).sorted() { try await vacuum(table) }
        return false
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
