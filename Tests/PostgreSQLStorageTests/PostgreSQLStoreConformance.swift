import PostgreSQLStorage
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@Suite(.bounded, .postgreSQL) struct PostgreSQLStoreConformance {
    @Test(arguments: StorePromise.all)
    func keeps(promise: StorePromise) async throws {
        let folder = try TemporaryFolder()
        let address = try await PostgreSQLServer.shared.emptyStore()
        let options = PostgreSQLStoreOptions(keyFolder: folder.path)
        try await promise.check(
            StoreUnderTest { try PostgreSQLStore.open(at: address, options: options) })
    }
}
