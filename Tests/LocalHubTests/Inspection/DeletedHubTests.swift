import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct DeletedHubTests {
    private func delete(_ name: String, _ hub: HubUnderTest) async throws {
        let response = try await hub.request(.delete, "/\(name)?api-version=2020-06")
        #expect(response.status == .ok)
    }

    @Test("After the first hub is deleted, the next hub is shown")
    func afterTheFirstHubIsDeletedTheNextHubIsShown() async throws {
        let hub = try HubUnderTest()
        for name in ["zebra", "second"] {
            _ = try await hub.request(.put, "/\(name)?api-version=2020-06")
        }
        let first: InboxAnswers.Overview = try await hub.inspect("")
        #expect(first.hub == "hubsend")
        try await delete("hubsend", hub)
        let overview: InboxAnswers.Overview = try await hub.inspect("")
        #expect(overview.hub == "second")
        #expect(overview.hubs == ["second", "zebra"])
        let page: InboxAnswers.Messages = try await hub.inspect("/messages")
        #expect(page.messages.isEmpty)
        let named = try await hub.request(.get, "/.hubsend?hub=hubsend", token: nil)
        #expect(named.status == .notFound)
    }

    @Test("The overview works without any hub") func overviewWorksWithoutAnyHub() async throws {
        let hub = try HubUnderTest { $0.devices = [LocalHubDevice(user: "alice", platform: .apns)] }
        _ = try await hub.send()
        try await delete("hubsend", hub)
        let response = try await hub.request(.get, "/.hubsend", token: nil)
        #expect(response.text.contains(#""hub" : null"#), "\(response.text)")
        let overview: InboxAnswers.Overview = try await hub.inspect("")
        #expect(overview.hubs.isEmpty)
        #expect(overview.devices == 0)
        #expect(overview.kept == 0)
        #expect(overview.counts.arrived == 0)
        let messages = try await hub.request(.get, "/.hubsend/messages", token: nil)
        #expect(messages.status == .notFound)
        #expect(messages.text.contains("All hubs were deleted"))
    }

    @Test("The overview reports whether published keys are accepted")
    func overviewReportsWhetherPublishedKeysAreAccepted() async throws {
        let usual: InboxAnswers.Overview = try await HubUnderTest().inspect("")
        #expect(usual.published_keys)
        let hub = try HubUnderTest {
            $0.rules = [LocalHubRule(name: "own", key: "a key of one's own", claims: [.manage])]
        }
        let overview: InboxAnswers.Overview = try await hub.inspect("")
        #expect(!overview.published_keys)
    }
}
