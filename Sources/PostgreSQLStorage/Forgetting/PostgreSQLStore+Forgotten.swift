package import CampaignCore
import PostgreSQLClient
import Storage

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
    func earlierNameHash(_ db: PostgreSQLConnection) throws -> NameHash? {
        guard let sealed = try StoreOrigin.forgottenKey(db) else { return nil }
        guard let hash = try keyring.nameHash(sealed: sealed) else {
            throw StoreError.noForgottenKey(place, file: keyring.path)
        }
        return hash
    }

    /// The hash of forgotten names, nil while there are none; by the payload key at the time of the
    /// first one.
    ///
    /// Throws ``StoreError/noForgottenKey(_:file:)``, also where a command would have to give the
    /// key.
    func nameHash(_ db: PostgreSQLConnection) throws -> NameHash? {
        guard try db.row("SELECT 1 FROM forgotten LIMIT 1") != nil else { return nil }
        let missing = StoreError.noForgottenKey(place, file: keyring.path)
        var hashes = try keyring.nameHashes()
        if let sealed = try db.row("SELECT forgotten_key FROM payload_key")?.optionalBytes(0),
            let kept = try keyring.nameHash(sealed: sealed)
        {
            hashes.append(kept)
        }
        let right = try hashes.first { hash in
            try db.row(
                "SELECT 1 FROM forgotten WHERE hash = $1", [Array(hash.hash(.nameless))]) != nil
        }
        guard let right else { throw missing }
        return right
    }
}
