import PostgreSQLDriver
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@Suite(.bounded, .postgreSQL) struct PostgreSQLStoreConformance {
    @Test("Every promise of a store is kept", arguments: StorePromise.all)
    func everyPromiseOfAStoreIsKept(promise: StorePromise) async throws {
        let folder = try TemporaryFolder()
        let address = try await PostgreSQLServer.shared.emptyStore()
        let options = PostgreSQLStoreOptions(keyFolder: folder.path)
        var test = try StoreUnderTest { try PostgreSQLStore.open(at: address, options: options) }
        test.open = { key in
            var options = options
            options.common.payloadKey = key
            return try PostgreSQLStore.open(at: address, options: options)
        }
        try await promise.check(test)
    }
}
