import FoundationEssentials
import LocalHub
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct SendAgainstLocalHubTests {
    private static let template = Registration(
        channel: .apple(deviceToken: "CD34"), tags: ["username:alice"],
        template: RegistrationTemplate(body: #"{"aps":{"alert":"Hi $(name)"}}"#, name: "hi"))

    private func register(_ client: NotificationHubClient) async throws {
        _ = try await client.create(
            Registration(channel: .apple(deviceToken: "AB12"), tags: ["username:alice"]))
        _ = try await client.create(Self.template)
    }

    @Test("A sent push arrives and its telemetry is readable")
    func sentPushArrivesAndItsTelemetryIsReadable() async throws {
        try await AgainstLocalHub.with { client, hub in
            try await register(client)
            let receipt = try await client.send(
                .silent(), to: TagExpression(parsing: "username:alice && !guest"))
            let id = try #require(receipt.messageID)
            let details = try #require(try await client.notificationDetails(id: id))
            #expect(details.id == id)
            #expect(details.state == .completed)
            #expect(await hub.received(by: "alice").map(\.notificationID) == [id])
            #expect(try await client.notificationDetails(id: "unknown") == nil)
            let feedback = try await client.feedbackContainerURL()
            #expect(feedback.absoluteString.contains("/.hubsend/feedback/"))
        }
    }

    @Test("A template push reaches only template registrations")
    func templatePushReachesOnlyTemplateRegistrations() async throws {
        try await AgainstLocalHub.with { client, hub in
            try await register(client)
            _ = try await client.send(
                TemplateNotification(properties: ["name": "\"Ann\""]),
                to: TagExpression(Tag("username:alice")))
            #expect(
                await hub.received(by: "alice").map(\.text) == [
                    #"{"aps":{"alert":"Hi \"Ann\""}}"#
                ])
            _ = try await client.broadcast(NativeNotification.silent())
            #expect(await hub.received(by: "alice").count == 2)
        }
    }

    @Test("A batch of a thousand device tokens is accepted")
    func batchOfAThousandDeviceTokensIsAccepted() async throws {
        try await AgainstLocalHub.with { client, _ in
            let tokens = try (0..<DirectBatch.handleLimit).map {
                try DeviceHandle(String(repeating: "5F1C", count: 15) + String(1_000 + $0))
            }
            let receipt = try await client.send(DirectBatch(.silent(), to: tokens))
            #expect(receipt.status == 201)
        }
    }

    @Test("A direct send reaches its device handle")
    func directSendReachesItsDeviceHandle() async throws {
        try await AgainstLocalHub.with { client, hub in
            try await register(client)
            _ = try await client.send(.silent(), to: DeviceHandle("AB12"))
            let batch = try DirectBatch(
                .silent(), to: [DeviceHandle("AB12"), DeviceHandle("CD34"), DeviceHandle("FF")])
            let receipt = try await client.send(batch)
            #expect(await hub.received(by: "alice").count == 3)
            let details = try await client.notificationDetails(id: try #require(receipt.messageID))
            #expect(details?.state == .completed)
        }
    }

    @Test("A test send returns the outcome of each device")
    func testSendReturnsTheOutcomeOfEachDevice() async throws {
        try await AgainstLocalHub.with { client, _ in
            try await register(client)
            let outcome = try await client.testSend(
                .silent(), to: TagExpression(Tag("username:alice")))
            #expect(outcome.success == 1)
            #expect(outcome.failure == 0)
            #expect(outcome.results.count == 1)
            let none = try await client.testSend(.silent(), to: TagExpression(Tag("nobody")))
            #expect(none.results.isEmpty)
        }
    }

    @Test("A scheduled push can be cancelled once")
    func scheduledPushCanBeCancelledOnce() async throws {
        try await AgainstLocalHub.with { client, hub in
            try await register(client)
            let receipt = try await client.schedule(
                .silent(), to: TagExpression(Tag("username:alice")),
                at: Date().addingTimeInterval(3_600))
            let id = try #require(receipt.messageID)
            #expect(try await client.cancelScheduled(id: id) == .cancelled)
            #expect(try await client.cancelScheduled(id: id) == .alreadyGone)
            #expect(await hub.received(by: "alice").isEmpty)
        }
    }
}
