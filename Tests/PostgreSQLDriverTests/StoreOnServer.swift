import PostgreSQLClient
import Storage
import TestPostgreSQL
import TestSupport

@testable import PostgreSQLDriver

/// An empty schema for one test, and its stores.
struct StoreOnServer {
    let folder: TemporaryFolder
    let address: PostgreSQLAddress
    let options: PostgreSQLStoreOptions

    init() async throws {
        folder = try TemporaryFolder()
        address = try await PostgreSQLServer.shared.emptyStore()
        options = PostgreSQLStoreOptions(keyFolder: folder.path, connections: 2)
    }

    func open(lockTimeout: Duration = .seconds(5)) throws -> PostgreSQLStore {
        var options = options
        options.common.busyTimeout = lockTimeout
        return try PostgreSQLStore.open(at: address, options: options)
    }

    func execute(_ sql: String) async throws {
        let pool = PostgreSQLPool(address, options: PostgreSQLPoolOptions(connections: 1))
        defer { pool.close() }
        try await pool.withConnection { db in try db.executeScript(sql) }
    }
}

extension PostgreSQLStore {
    func number(_ sql: String) async throws -> Int? {
        try await read { db in try db.row(sql)?.int(0) }
    }
}
