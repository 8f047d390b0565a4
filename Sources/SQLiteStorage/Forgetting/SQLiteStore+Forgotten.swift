package import CampaignCore
import GRDB
import Storage

extension SQLiteStore {
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

    /// The hash of forgotten names; nil while nobody was forgotten.
    func nameHash(_ db: Database) throws -> NameHash? {
        guard try Row.fetchOne(db, sql: "SELECT 1 FROM forgotten LIMIT 1") != nil else {
            return nil
        }
        let missing = StoreError.noForgottenKey(place, file: forgottenKey.path)
        guard let key = try forgottenKey.read() else { throw missing }
        let hash = NameHash(key)
        let isRight = try Row.fetchOne(
            db, sql: "SELECT 1 FROM forgotten WHERE hash = ?", arguments: [hash.hash(.nameless)])
        guard isRight != nil else { throw missing }
        return hash
    }
}
