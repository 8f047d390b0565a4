package import CampaignCore
import GRDB
package import Storage

extension SQLiteStore {
    package func forgotten(among people: [Username]) async throws -> Set<Username> {
        try await read { db in
            guard let hash = try nameHash(db) else { return [] }
            return Set(
                try people.filter {
                    try db.hasRow(
                        "SELECT 1 FROM forgotten WHERE hash = ?1", [Array(hash.hash($0))])
                })
        }
    }

    package var nameKeyPath: String { forgottenKey.path }

    package func nameHashes(_ db: any SQLConnection) throws -> [NameHash] {
        try forgottenKey.read().map { [NameHash($0)] } ?? []
    }

    package func firstNameHash() throws -> NameHash {
        NameHash(try forgottenKey.readOrMake().key)
    }

    /// Makes sure that a name is nowhere in the file, not even in remains of earlier versions of
    /// pages.
    package func eraseRemains(
        of person: Username, in changed: [Int64: Set<String>], hadRegistrations: Bool
    ) async throws -> Bool {
        try await bringLogIn(isEmptied: true)
        if try inode.contains(Array(person.text.utf8)) {
            guard try inode.size() <= Self.quicklyWritten || inode.isAlone() else { return false }
            try await writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
            try await bringLogIn(isEmptied: true)
        }
        return try StoreFiles(path: path, owner: 0).size(ofSide: "-wal") == 0
    }
}
