import SQLiteDriver
import Storage
import StoreConformance
import TestSupport
import Testing

@Suite(.bounded) struct SQLiteStoreConformance {
    @Test("Every promise of a store is kept", arguments: StorePromise.all)
    func everyPromiseOfAStoreIsKept(promise: StorePromise) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        var test = try StoreUnderTest { try SQLiteStore.open(at: path) }
        test.open = { try SQLiteStore.open(at: path, options: StoreOptions(payloadKey: $0)) }
        try await promise.check(test)
    }
}
