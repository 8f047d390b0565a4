import CampaignCore
import TestSupport
import Testing

@testable import NotificationHubs

/// The registrar of the app backend, with a real local hub and with hubs that refuse.
@Suite(.bounded) struct HubDeviceRegistrarTests {
    private static let handle = "ABCDEF0123456789ABCDEF0123456789"

    @Test(
        "A device is registered under its ID, with its tags",
        arguments: [
            (Platform.apns, DeviceChannel.apple(deviceToken: handle)),
            (.fcm, .fcmV1(registrationID: handle)), (.wns, .windows(channelURI: handle)),
            (.adm, .adm(registrationID: handle)),
        ])
    func deviceIsRegisteredUnderItsIDWithItsTags(
        platform: Platform, channel: DeviceChannel
    ) async throws {
        try await AgainstLocalHub.with { client, _ in
            let registrar = HubDeviceRegistrar(client: client)
            let id = try await registrar.createID()
            try await registrar.register(
                id, platform: platform, handle: Self.handle, tags: ["username:alice", "news"])
            let kept = try await client.registration(id: id)
            #expect(kept?.channel == channel)
            #expect(Set(kept?.tags ?? []) == ["username:alice", "news"])
        }
    }

    @Test("A browser is registered with its subscription and found by it")
    func browserIsRegisteredWithItsSubscriptionAndFoundByIt() async throws {
        let subscription =
            #"{"endpoint":"https://push.example/1","expirationTime":null,"keys":{"p256dh":"BK","auth":"S"}}"#
        try await AgainstLocalHub.with { client, _ in
            let registrar = HubDeviceRegistrar(client: client)
            let id = try await registrar.createID()
            try await registrar.register(
                id, platform: .browser, handle: subscription, tags: ["username:alice"])
            let kept = try await client.registration(id: id)
            #expect(
                kept?.channel
                    == .browser(endpoint: "https://push.example/1", p256dh: "BK", auth: "S"))
            #expect(try await registrar.ids(ofHandle: subscription) == [id])
            await #expect(throws: RegistrarFailure.self) {
                try await registrar.register(
                    id, platform: .browser, handle: Self.handle, tags: ["username:alice"])
            }
        }
    }

    @Test("All registrations of a user are found, and no others")
    func allRegistrationsOfAUserAreFoundAndNoOthers() async throws {
        try await AgainstLocalHub.with { client, _ in
            let registrar = HubDeviceRegistrar(client: client)
            var ids: [String: Set<String>] = [:]
            for (number, user) in ["alice", "alice", "bob", "alicia"].enumerated() {
                let id = try await registrar.createID()
                try await registrar.register(
                    id, platform: .fcm, handle: "handle-\(number)", tags: ["username:\(user)"])
                ids[user, default: []].insert(id)
            }
            let found = try await registrar.ids(of: Username(checked: "alice"))
            #expect(Set(found) == ids["alice"])
            for id in found { try await registrar.delete(id) }
            #expect(try await registrar.ids(of: Username(checked: "alice")) == [])
            #expect(try await registrar.ids(of: Username(checked: "bob")).count == 1)
        }
    }

    @Test("All registrations of a handle are found and can be deleted")
    func allRegistrationsOfAHandleAreFoundAndCanBeDeleted() async throws {
        try await AgainstLocalHub.with { client, _ in
            let registrar = HubDeviceRegistrar(client: client)
            var ids: Set<String> = []
            for _ in 0..<3 {
                let id = try await registrar.createID()
                try await registrar.register(
                    id, platform: .apns, handle: Self.handle, tags: ["username:alice"])
                ids.insert(id)
            }
            let found = try await registrar.ids(ofHandle: Self.handle)
            #expect(Set(found) == ids)
            for id in ids { try await registrar.delete(id) }
            let left = try await registrar.ids(ofHandle: Self.handle)
            #expect(left.isEmpty)
        }
    }

    @Test("Deleting a missing registration succeeds")
    func deletingAMissingRegistrationSucceeds() async throws {
        try await AgainstLocalHub.with { client, _ in
            let registrar = HubDeviceRegistrar(client: client)
            let id = try await registrar.createID()
            try await registrar.delete(id)
            try await registrar.delete(id)
        }
    }

    @Test(
        "An invalid handle is refused without being shown",
        arguments: ["", String(repeating: "a", count: 5_000)])
    func invalidHandleIsRefusedWithoutBeingShown(handle: String) async throws {
        try await AgainstLocalHub.with { client, _ in
            let registrar = HubDeviceRegistrar(client: client)
            let id = try await registrar.createID()
            let failure = await #expect(throws: RegistrarFailure.self) {
                try await registrar.register(id, platform: .apns, handle: handle, tags: [])
            }
            guard case .refused(let reason) = failure else {
                Issue.record("\(String(describing: failure)) is no refusal")
                return
            }
            #expect(!reason.contains("aaaa"))
        }
    }

    /// The name of a case of ``RegistrarFailure``, without its text.
    private static func name(of failure: RegistrarFailure?) -> String {
        switch failure {
        case .gone: "gone"
        case .refused: "refused"
        case .busy(let delay): "busy \(delay.map { "\($0)" } ?? "")"
        case .unavailable: "unavailable"
        case .misconfigured: "misconfigured"
        case nil: "none"
        }
    }

    private static func failure(at connectionString: String) async throws -> RegistrarFailure? {
        let client = try NotificationHubClient(
            connectionString: ConnectionString(parsing: connectionString),
            hubName: HubName("news"), settings: .patient)
        var failure: RegistrarFailure?
        do throws(RegistrarFailure) {
            try await HubDeviceRegistrar(client: client).register(
                "1-2-3", platform: .fcm, handle: handle, tags: ["username:alice"])
        } catch {
            failure = error
        }
        try await client.shutdown()
        return failure
    }

    @Test(
        "A refused registration reports the hub's response",
        arguments: [
            (ScriptedAnswer.status(410), "gone"), (.status(400), "refused"),
            (.status(429, [("Retry-After", "7")]), "busy 7.0 seconds"),
            (.status(401), "misconfigured"),
            (.status(500), "unavailable"), (.close, "unavailable"),
        ])
    func refusedRegistrationReportsTheHubsResponse(answer: ScriptedAnswer, expected: String)
        async throws
    {
        let failure = try await ScriptedHub.with(script: { _, _ in answer }) { hub in
            try await Self.failure(at: hub.connectionString())
        }
        #expect(Self.name(of: failure) == expected)
        #expect(!String(describing: failure).contains(Self.handle))
    }

    @Test("An unreachable hub is reported as unavailable")
    func unreachableHubIsReportedAsUnavailable() async throws {
        let failure = try await Self.failure(at: ScriptedHub.refusing)
        #expect(Self.name(of: failure) == "unavailable")
    }
}
