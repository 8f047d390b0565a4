import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct SendListTests {
    private static let two = [
        LocalHubDevice(user: "alice", platform: .apns, handle: "AB"),
        LocalHubDevice(user: "bob", platform: .apns, handle: "CD"),
    ]

    @Test("Sends are listed newest first, even without devices")
    func sendsAreListedNewestFirstEvenWithoutDevices() async throws {
        let hub = try HubUnderTest { $0.devices = Self.two }
        let ids = [
            try await hub.send(tags: nil), try await hub.send(tags: "username:nobody"),
            try await hub.send(String(repeating: " ", count: 5_000) + "{}"),
            try await hub.send(#"{"a":"b"}"#, format: "template", tags: "x"),
        ].map(\.locationID)
        let page: InboxAnswers.Sends = try await hub.inspect("/sends")
        #expect(page.sends.map(\.notification) == ids.reversed())
        #expect(page.sends.map(\.arrived) == [0, 0, 0, 2])
        #expect(page.sends.map(\.refused) == [0, 1, 0, 0])
        #expect(page.sends.map(\.tags) == ["x", "username:alice", "username:nobody", nil])
        #expect(page.sends.map(\.platform) == [nil, "apns", "apns", "apns"])
        #expect(page.sends.allSatisfy { $0.method == "POST" })
        #expect(page.sends.allSatisfy { $0.path == "/hubsend/messages?api-version=2020-06" })
        #expect(page.sends.first?.time == "2025-12-31T23:00:00Z")
        let two: InboxAnswers.Sends = try await hub.inspect("/sends?limit=2")
        #expect(two.sends.map(\.notification) == Array(ids.suffix(2).reversed()))
    }

    @Test("A send to an invalid handle is listed with the reason")
    func sendToAnInvalidHandleIsListedWithTheReason()
        async throws
    {
        var dead = FaultRule(.wrongTokens)
        dead.platforms = [.fcm]
        let hub = try HubUnderTest {
            $0.devices = Self.two
            $0.faults = [dead]
        }
        _ = try await hub.direct("EF", #"{"message":{}}"#, format: "fcmv1")
        _ = try await hub.send(tags: nil)
        let page: InboxAnswers.Sends = try await hub.inspect("/sends")
        let refused = try #require(page.sends.last)
        #expect(refused.outcomes.map(\.platform) == ["fcm"])
        #expect(refused.outcomes.map(\.outcome) == ["WrongToken"])
        #expect(refused.outcomes.map(\.count) == [1])
        #expect(refused.outcomes.first?.reason?.isEmpty == false)
        let arrived = try #require(page.sends.first)
        #expect(arrived.outcomes.map(\.outcome) == ["Success"])
        #expect(arrived.outcomes.map(\.count) == [2])
        #expect(arrived.outcomes.first?.reason == nil)
        let overview: InboxAnswers.Overview = try await hub.inspect("")
        #expect(overview.kept == 3)
        #expect(overview.counts.refused == 1)
    }

    @Test("A cancelled send is not listed") func cancelledSendIsNotListed() async throws {
        let hub = try HubUnderTest { $0.devices = Self.two }
        _ = try await hub.send()
        for _ in 1...60 {
            let id = try #require(try await hub.schedule("2026-01-01T00:00:00Z").locationID)
            _ = try await hub.request(
                .delete, "/hubsend/schedulednotifications/\(id)?api-version=2020-06")
        }
        let page: InboxAnswers.Sends = try await hub.inspect("/sends")
        #expect(page.sends.map(\.tags) == ["username:alice"])
    }
}
