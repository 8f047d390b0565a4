import CampaignCore
import SQLiteStorage
import Storage
import StoreConformance
import TestSupport
import Testing

@Suite(.bounded) struct SQLiteStoreConformance {
    @Test(arguments: StorePromise.all)
    func keeps(promise: StorePromise) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        try await promise.check(StoreUnderTest { try SQLiteStore.open(at: path) })
    }
}
