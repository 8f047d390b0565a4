package import CampaignCore
import GRDB
package import Storage

extension SQLiteStore {
    /// The largest file in bytes that is rewritten while others wait for about a second.
    private static let quicklyRewritten = 64 << 20

    package func forgotten(among people: [Username]) async throws -> Set<Username> {
        try await read { db in
            guard let hash = try nameHash(db) else { return [] }
            let query = try db.cachedStatement(sql: "SELECT 1 FROM forgotten WHERE hash = ?")
            return Set(
                try people.filter {
                    try Row.fetchOne(query, arguments: [hash.hash($0)]) != nil
                })
        }
    }

    package func nameHash(_ db: any SQLConnection) throws -> NameHash? {
        guard try db.hasRow("SELECT 1 FROM forgotten LIMIT 1") else { return nil }
        let missing = StoreError.noForgottenKey(place, file: forgottenKey.path)
        guard let key = try forgottenKey.read() else { throw missing }
        let hash = NameHash(key)
        guard
            try db.hasRow(
                "SELECT 1 FROM forgotten WHERE hash = ?1", [Array(hash.hash(.nameless))])
        else { throw missing }
        return hash
    }

    package func firstNameHash() throws -> NameHash {
        NameHash(try forgottenKey.readOrMake().key)
    }

    /// Makes sure that a name is nowhere in the file, where earlier versions of its pages may have
    /// left it.
    package func eraseRemains(
        of person: Username, in changed: [Int64: Set<String>], hadRegistrations: Bool
    ) async throws -> Bool {
        try await bringLogIn(isEmptied: true)
        if try inode.contains(Array(person.text.utf8)) {
            guard try inode.size() <= Self.quicklyRewritten || inode.isAlone() else { return false }
            try await writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
            try await bringLogIn(isEmptied: true)
        }
        return try StoreFiles(path: path, owner: 0).size(ofSide: "-wal") == 0
    }
}
