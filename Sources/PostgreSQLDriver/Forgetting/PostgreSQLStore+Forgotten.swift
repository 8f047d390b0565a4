package import CampaignCore
import PostgreSQLClient
package import Storage

extension PostgreSQLStore {
    package func forgotten(among people: [Username]) async throws -> Set<Username> {
        try await read { db in
            guard !people.isEmpty, let hash = try nameHash(db) else { return [] }
            return try [hash, earlierNameHash(db)].reduce(into: []) { forgotten, hash in
                guard let hash else { return }
                let hashes = people.map { Array(hash.hash($0)) }
                let found = Set(
                    try db.rows("SELECT hash FROM forgotten WHERE hash = ANY($1)", [hashes])
                        .map { try $0.bytes(0) })
                forgotten.formUnion(zip(people, hashes).filter { found.contains($1) }.map(\.0))
            }
        }
    }

    /// The hash, with its own key, of names that were forgotten in the file from which the store
    /// was filled.
    private func earlierNameHash(_ db: any SQLConnection) throws -> NameHash? {
        guard let sealed = try StoreOrigin.find(db)?.forgottenKey else { return nil }
        guard let hash = try keyring.nameHash(sealed: sealed) else { throw missingNameKey }
        return hash
    }

    package var nameKeyPath: String { keyring.path }

    /// The right hash is the one for the payload key that was in use when the first person was
    /// forgotten.
    package func nameHashes(_ db: any SQLConnection) throws -> [NameHash] {
        let sealed = try db.row("SELECT forgotten_key FROM payload_key") { row in
            try row.optionalBytes(0)
        }
        let kept = try sealed?.flatMap { try keyring.nameHash(sealed: $0) }
        return try keyring.nameHashes() + [kept].compactMap(\.self)
    }

    package func firstNameHash() async throws -> NameHash {
        // From now on, the store knows its key and refuses hosts with a different one.
        _ = try await sealingCipher()
        return try derivedNameHash()
    }

    func derivedNameHash() throws -> NameHash {
        guard let hash = try keyring.nameHashes().first else { throw missingNameKey }
        return hash
    }

    package func resealNameHashes(_ db: any SQLConnection) throws {
        let hash = try nameHash(db).flatMap { try keyring.seal($0) }
        if let earlier = try earlierNameHash(db).flatMap({ try keyring.seal($0) }) {
            try db.run("UPDATE store_origin SET forgotten_key = ?1", [earlier])
        }
        try db.run("UPDATE payload_key SET forgotten_key = ?1", [hash])
    }

    /// Vacuums the changed tables, except for row versions that a transaction still sees.
    ///
    /// The name remains in the write-ahead log until that is recycled, as well as in replicas,
    /// archives, backups and free space.
    package func eraseRemains(
        of person: Username, in changed: [Int64: Set<String>], hadRegistrations: Bool
    ) async throws -> Bool {
        let tables = changed.flatMap { run, tables in
            tables.map { RunPartitions.table($0, of: run) }
        }
        let others = hadRegistrations ? ["registrations"] : []
        for table in Set(tables + others).sorted() {
            do {
                try await withoutTransaction { db in
                    try db.executeScript("VACUUM (INDEX_CLEANUP ON, TRUNCATE OFF) \(table)")
                }
            } catch StoreError.locked {
                // Somebody else is vacuuming or changing the table, so the server does this later.
            }
        }
        return false
    }
}
