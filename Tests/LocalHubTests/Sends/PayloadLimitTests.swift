import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct PayloadLimitTests {
    @Test(
        "A payload over the limit is accepted but not delivered",
        arguments: [
            ("apple", .apns, 4_096), ("fcmv1", .fcm, 4_096),
            ("windows", .wns, 5_000), ("windowsphone", .mpns, 1_024), ("adm", .adm, 6_144),
            ("browser", .browser, 3_993),
        ] as [(String, LocalHubPlatform, Int)])
    func payloadOverTheLimitIsAcceptedButNotDelivered(
        format: String, platform: LocalHubPlatform, limit: Int
    ) async throws {
        let hub = try HubUnderTest {
            $0.devices = [LocalHubDevice(user: "alice", platform: platform)]
        }
        let name = platform == .fcm ? "message" : "data"
        let frame = #"{"\#(name)":{"name":""}}"#
        let padding = String(repeating: "x", count: limit - frame.utf8.count)
        let fits = #"{"\#(name)":{"name":"\#(padding)"}}"#
        let type = ["X-WNS-Type": "wns/raw", "X-NotificationClass": "3"]
        #expect(fits.utf8.count == limit)
        let first = try await hub.send(fits, format: format, headers: type)
        #expect(first.status == .created)
        let second = try await hub.send(fits + " ", format: format, headers: type)
        #expect(second.status == .created)
        let received = await hub.server.received(by: "alice")
        #expect(received.map(\.body.count) == [limit])
        let refused = await hub.server.refused(for: "alice")
        #expect(refused.map(\.body.count) == [limit + 1])
        #expect(refused.map(\.outcome) == [.invalidNotificationSize])
        #expect(hub.server.counts.arrived == 1)
        #expect(hub.server.counts.refused == 1)
    }

    @Test("The outcome of an oversized push has the name that Azure uses")
    func outcomeOfAnOversizedPushHasTheNameThatAzureUses() {
        #expect(PushOutcome.invalidNotificationSize.rawValue == "InvalidNotificationSize")
    }
}
