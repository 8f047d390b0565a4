import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct ClearMessagesTests {
    private static let three = ["alice", "bob", "carol"].map {
        LocalHubDevice(user: $0, platform: .apns)
    }

    private func sequences(_ hub: HubUnderTest, _ query: String = "") async throws -> [Int] {
        try await hub.inspect("/messages" + query, as: InboxAnswers.Messages.self).sequences
    }

    @Test("Clearing messages does not affect devices, telemetry or numbering")
    func clearingMessagesDoesNotAffectDevicesTelemetryOrNumbering() async throws {
        let hub = try HubUnderTest { $0.devices = Self.three }
        let sent = try await hub.send(tags: nil)
        _ = try await hub.send()
        #expect(try await hub.clear() == 4)
        #expect(try await sequences(hub).isEmpty)
        #expect(try await sequences(hub, "?user=alice").isEmpty)
        #expect(try await hub.clear() == 0)
        let devices: InboxAnswers.Devices = try await hub.inspect("/devices")
        #expect(devices.devices.map(\.count) == [2, 1, 1])
        #expect(devices.devices.map(\.newest) == [nil, nil, nil])
        let telemetry = try await hub.telemetry(try #require(sent.locationID))
        #expect(telemetry.text.contains("<State>Completed</State>"))
        _ = try await hub.send()
        #expect(try await sequences(hub) == [5])
        let overview: InboxAnswers.Overview = try await hub.inspect("")
        #expect(overview.counts.cleared == 4)
        #expect(overview.counts.arrived == 5)
    }

    @Test("The messages of a single user can be cleared")
    func messagesOfASingleUserCanBeCleared() async throws {
        let hub = try HubUnderTest {
            $0.devices = Self.three + [LocalHubDevice(user: "alice", platform: .fcm)]
        }
        _ = try await hub.send(tags: nil)
        _ = try await hub.send(#"{"message":{}}"#, format: "fcmv1")
        _ = try await hub.send(tags: nil)
        #expect(try await hub.clear("?user=alice") == 3)
        #expect(try await sequences(hub) == [7, 6, 3, 2])
        #expect(try await sequences(hub, "?after=1&limit=2") == [3, 2])
        #expect(try await hub.clear("?user=nobody") == 0)
        #expect(try await hub.clear() == 4)
    }

    @Test("An empty username clears nothing") func emptyUsernameClearsNothing() async throws {
        let hub = try HubUnderTest { $0.devices = Self.three }
        _ = try await hub.send()
        let response = try await hub.change(.delete, "/.hubsend/messages?user=")
        #expect(response.status == .badRequest)
        #expect(try await sequences(hub) == [1])
    }

    @Test("Clearing messages requires the token") func clearingMessagesRequiresTheToken()
        async throws
    {
        let hub = try HubUnderTest { $0.devices = Self.three }
        _ = try await hub.send()
        let response = try await hub.request(.delete, "/.hubsend/messages", token: nil)
        #expect(response.status == .forbidden)
        #expect(try await sequences(hub) == [1])
    }

    @Test("Cleared messages do not count towards the limits")
    func clearedMessagesDoNotCountTowardsTheLimits() async throws {
        let hub = try HubUnderTest {
            $0.devices = Self.three
            $0.limits.pushesInAll = 3
        }
        for _ in 1...2 { _ = try await hub.send() }
        #expect(try await hub.clear() == 2)
        for _ in 1...5 { _ = try await hub.send(tags: "username:bob") }
        #expect(try await sequences(hub) == [7, 6, 5])
        #expect(try await hub.clear("?user=bob") == 3)
        _ = try await hub.send(tags: "username:carol")
        #expect(try await sequences(hub) == [8])
    }
}
