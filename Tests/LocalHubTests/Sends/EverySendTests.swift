import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct EverySendTests {
    enum Kind: CaseIterable {
        case tags, direct, batch, test, scheduled

        func request(_ hub: HubUnderTest, token: String) async throws -> TestResponse {
            var headers = [
                "ServiceBusNotification-Format": "apple",
                "ServiceBusNotification-DeviceHandle": "AB12",
                "ServiceBusNotification-ScheduleTime": "2025-12-31T23:00:00",
            ]
            var body = HubUnderTest.silent
            let path: String
            switch self {
            case .tags: path = "messages"
            case .direct: path = "messages?direct"
            case .test: path = "messages?test"
            case .scheduled: path = "schedulednotifications"
            case .batch:
                path = "messages/$batch?direct"
                headers["Content-Type"] = "multipart/mixed; boundary=B"
                body =
                    "--B\r\nContent-Disposition: inline; name=notification\r\n\r\n\(body)\r\n"
                    + "--B\r\nContent-Disposition: inline; name=devices\r\n\r\n[\"AB12\"]\r\n--B--"
            }
            return try await hub.request(
                .post, "/hubsend/\(path)", token: token, headers: headers, body: body)
        }
    }

    private func withHub(
        fault: LocalHubFault? = nil, _ test: @escaping @Sendable (HubUnderTest) async throws -> Void
    ) async throws {
        try await HubUnderTest.run(
            {
                $0.devices = [LocalHubDevice(user: "alice", platform: .apns, handle: "AB12")]
                $0.fault = { $0.ordinal == 1 ? fault : nil }
            }, test)
    }

    @Test("Every kind of send reaches the device and telemetry", arguments: Kind.allCases)
    func everyKindOfSendReachesTheDeviceAndTelemetry(kind: Kind) async throws {
        try await withHub { hub in
            let token = TestToken.make(.developmentSend)
            let response = try await kind.request(hub, token: token)
            #expect(response.status == .created)
            let id = try #require(response.locationID)
            let pushes = await hub.server.received(by: "alice")
            #expect(pushes.map(\.notificationID) == [id])
            #expect(pushes.map(\.text) == [HubUnderTest.silent])
            #expect(
                try await hub.telemetry(id).text.contains("<Name>Success</Name><Count>1</Count>"))
            #expect(hub.server.counts.sends == 1)
        }
    }

    @Test("Faults apply to every kind of send", arguments: Kind.allCases)
    func faultsApplyToEveryKindOfSend(kind: Kind) async throws {
        try await withHub(fault: .answer(status: 503, retryAfter: 3)) { hub in
            let token = TestToken.make(.developmentFull)
            let response = try await kind.request(hub, token: token)
            #expect(response.status == .serviceUnavailable)
            #expect(response.header("Retry-After") == "3")
            #expect(response.header("Location") == nil)
            #expect(hub.server.counts.sends == 0)
            #expect(try await kind.request(hub, token: token).status == .created)
        }
    }

    @Test("Every kind of send requires the Send right", arguments: Kind.allCases)
    func everyKindOfSendRequiresTheSendRight(kind: Kind) async throws {
        try await withHub { hub in
            let response = try await kind.request(hub, token: TestToken.make(.developmentListen))
            #expect(response.status == .forbidden)
            #expect(response.text.isEmpty)
            #expect(hub.server.counts.sends == 0)
        }
    }
}
