import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct StoreTests {
    @Test("A store is backed up once, and the copy is intact")
    func storeIsBackedUpOnceAndTheCopyIsIntact() async throws {
        let workspace = try Workspace([
            "hello.yaml": """
            campaign: hello
            kind: secure
            platforms: [apns]
            audience: { usernames: [alice] }
            payload: { text: Good morning. }
            """
        ])
        try await Binary.run(["run", "hello.yaml"], in: workspace, status: 0)
        let backup = try await Binary.run(
            ["store", "backup", "b.sqlite"], in: workspace, status: 0)
        #expect(backup.output.hasPrefix("The store was copied to b.sqlite ("))
        #expect(backup.output.contains("store.sqlite.key, which is not in the backup"))
        let again = try await Binary.run(["store", "backup", "b.sqlite"], in: workspace, status: 2)
        #expect(again.complaints.contains("--force"))
        let key = try workspace.text(".hubsend/store.sqlite.key")
        let check = try await Binary.run(
            ["store", "check", "--store", "b.sqlite"], in: workspace,
            environment: ["HUBSEND_PAYLOAD_KEY": key], status: 0)
        #expect(check.output.contains("b.sqlite is intact: 1 run, 1 recipient, "))
        let migrated = try await Binary.run(["store", "migrate"], in: workspace, status: 0)
        #expect(migrated.output.hasSuffix("is up to date; there is nothing to do.\n"))
    }
}
