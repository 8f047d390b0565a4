import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct DirectSendTests {
    private let alice = LocalHubDevice(user: "alice", platform: .apns, handle: "AB12")

    @Test(
        "A direct send reaches only the device with that handle",
        arguments: ["direct", "direct=true", "direct=", "DIRECT"])
    func directSendReachesOnlyTheDeviceWithThatHandle(flag: String) async throws {
        let devices = [alice, LocalHubDevice(user: "bob", platform: .apns)]
        let hub = try HubUnderTest { $0.devices = devices }
        let response = try await hub.direct("ab12", flag: flag)
        #expect(response.status == .created)
        #expect(response.text.isEmpty)
        let id = try #require(response.locationID)
        #expect(
            response.header("Location")
                == "http://localhost/hubsend/messages/\(id)?api-version=2020-06&\(flag)")
        #expect(await hub.server.received(by: "alice").map(\.notificationID) == [id])
        #expect(await hub.server.received(by: "bob").isEmpty)
    }

    @Test(
        "An unregistered handle is reached unless a fault rejects it",
        arguments: [
            ("apple", "WrongToken", #"{"aps":{}}"#), ("fcmv1", "WrongToken", #"{"message":{}}"#),
            ("windows", "ExpiredChannel", "<toast/>"), ("windowsphone", "ExpiredChannel", "<x/>"),
            ("adm", "WrongToken", #"{"data":{}}"#),
        ])
    func unregisteredHandleIsReachedUnlessAFaultRejectsIt(
        format: String, outcome: String, body: String
    ) async throws {
        for (faults, outcome) in [([], "Success"), ([FaultRule(.wrongTokens)], outcome)] {
            let hub = try HubUnderTest { $0.faults = faults }
            let response = try await hub.direct("F00D", body, format: format)
            #expect(response.status == .created)
            let details = try await hub.telemetry(try #require(response.locationID))
            #expect(details.text.contains("<State>Completed</State>"))
            #expect(
                details.text.contains("<Outcome><Name>\(outcome)</Name><Count>1</Count></Outcome>"))
            #expect(hub.server.counts.arrived == (faults.isEmpty ? 1 : 0))
            #expect(hub.server.counts.devices == 1)
        }
    }

    @Test("Unregistered devices count towards the limit")
    func unregisteredDevicesCountTowardsTheLimit() async throws {
        let hub = try HubUnderTest {
            $0.devices = [alice]
            $0.limits.devices = 2
        }
        #expect(try await hub.direct("cd34").status == .created)
        #expect(try await hub.direct("CD34").status == .created)
        let refused = try await hub.direct("EF56")
        #expect(refused.status == .forbidden)
        #expect(refused.text.contains("The local hub can have up to 2 devices with 40000 registr"))
        #expect(try await hub.direct("ab12").status == .created)
        #expect(hub.server.counts.sends == 3)
        #expect(hub.server.counts.devices == 2)
    }

    @Test("A device that registers later keeps its pushes")
    func deviceThatRegistersLaterKeepsItsPushes() async throws {
        let hub = try HubUnderTest()
        _ = try await hub.direct("AB12")
        #expect(try await hub.install("1", tags: ["username:alice"]).status == .ok)
        #expect(await hub.server.received(by: "alice").count == 1)
        #expect(hub.server.counts.devices == 1)
    }

    @Test("The same handle on another platform is another device")
    func sameHandleOnAnotherPlatformIsAnotherDevice() async throws {
        let hub = try HubUnderTest { $0.devices = [alice] }
        let response = try await hub.direct("AB12", #"{"message":{}}"#, format: "fcmv1")
        #expect(response.status == .created)
        #expect(await hub.server.received(by: "alice").isEmpty)
        #expect(hub.server.counts.devices == 2)
    }

    @Test(
        "A direct send without a required header returns 400",
        arguments: [
            (nil, "apple", "ServiceBusNotification-DeviceHandle"),
            ("", "apple", "ServiceBusNotification-DeviceHandle"),
            ("AB12", nil, "ServiceBusNotification-Format"),
            ("AB12", "template", "ServiceBusNotification-Format"),
            ("AB12", "browser", "P256DH"),
        ] as [(String?, String?, String)])
    func directSendWithoutARequiredHeaderReturns400(
        handle: String?, format: String?, text: String
    ) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.direct(handle, #"{"a":"b"}"#, format: format)
        #expect(response.status == .badRequest)
        #expect(response.text.contains(text), "\(response.text)")
        #expect(hub.server.counts.sends == 0)
    }

    @Test(
        "A browser refuses pushes encrypted with other keys",
        arguments: [("key", "secret", PushOutcome.success), ("key", "other", .dropped)])
    func browserRefusesPushesEncryptedWithOtherKeys(
        p256dh: String, auth: String, outcome: PushOutcome
    ) throws {
        var state = HubState(
            description: HubDescription(created: HubUnderTest.now), limits: LocalHubLimits())
        let endpoint = "https://push.example/1"
        try state.put(
            Registration(
                id: "1", platform: .browser,
                channel: .browser(endpoint: endpoint, p256dh: "key", auth: "secret"), tags: []))
        let send = try SendRequest(
            ["servicebusnotification-format": "browser"], payload: [1],
            toChannels: [.browser(endpoint: endpoint, p256dh: p256dh, auth: auth)])
        let results = state.deliver(
            send, id: "n", enqueued: HubUnderTest.now, now: HubUnderTest.now, fault: { _ in nil })
        #expect(results.map(\.outcome) == [outcome])
    }
}
