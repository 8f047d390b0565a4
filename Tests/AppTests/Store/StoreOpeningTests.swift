import CampaignCore
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import App

@Suite(.bounded, .postgreSQL) struct StoreOpeningTests {
    @Test("A server store gets a local folder next to the config")
    func serverStoreGetsALocalFolderNextToTheConfig() async throws {
        let folder = try TemporaryFolder()
        let place = StoreAddress.server(
            try await PostgreSQLServer.shared.emptyStore(), localFolder: folder.file(".hubsend"))
        try await place.open().close()
        #expect(try folder.contents() == [".hubsend"])
        #expect(try folder.mode(".hubsend") == 0o700)
    }

    @Test("Without a local folder, the store opens; only writing to the folder fails")
    func withoutALocalFolderTheStoreOpensOnlyWritingToTheFolderFails() async throws {
        // Even root cannot create a folder there.
        let place = StoreAddress.server(
            try await PostgreSQLServer.shared.emptyStore(), localFolder: "/sys/.hubsend")
        let store = try await place.open()
        #expect(try await store.runs(campaign: nil, limit: 1).isEmpty)
        try await store.checkPayloadKey()
        let test = try StoreUnderTest { store }
        let error = await #expect(throws: StoreError.self) {
            try await test.stage(Samples.names(1), of: Samples.run(kind: .secure))
        }
        #expect(error?.disposition == .configuration)
        let text = try #require(error).description
        #expect(text.contains("key file /sys/.hubsend/"), "\(text)")
        try store.close()
    }
}
