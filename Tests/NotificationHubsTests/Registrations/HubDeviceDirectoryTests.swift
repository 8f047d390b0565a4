import CampaignCore
import LocalHub
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct HubDeviceDirectoryTests {
    private static let handle = "ABCDEF0123456789ABCDEF0123456789"
    private static let alice = Username(checked: "alice")

    private func found(
        among platforms: Set<Platform> = Set(Platform.allCases),
        _ registrations: [Registration]
    ) async throws -> Set<Platform> {
        try await AgainstLocalHub.with { client, _ in
            for registration in registrations { try await client.create(registration) }
            return try await HubDeviceDirectory(client: client)
                .platforms(of: Self.alice, among: platforms)
        }
    }

    @Test("A person without a registration has no device")
    func personWithoutARegistrationHasNoDevice() async throws {
        #expect(try await found([]).isEmpty)
        let other = Registration(
            channel: .apple(deviceToken: Self.handle), tags: ["username:alice2", "alice"])
        #expect(try await found([other]).isEmpty)
    }

    @Test("Every platform with a native registration is found")
    func everyPlatformWithANativeRegistrationIsFound() async throws {
        let registrations = [
            Registration(channel: .apple(deviceToken: Self.handle), tags: ["username:alice"]),
            Registration(
                channel: .fcmV1(registrationID: Self.handle), tags: ["news", "username:alice"]),
        ]
        #expect(try await found(registrations) == [.apns, .fcm])
        #expect(try await found(among: [.fcm, .wns], registrations) == [.fcm])
    }

    @Test("A template registration does not count as a device")
    func templateRegistrationDoesNotCountAsADevice() async throws {
        let template = Registration(
            channel: .apple(deviceToken: Self.handle), tags: ["username:alice"],
            template: RegistrationTemplate(body: #"{"aps":{"alert":"$(message)"}}"#))
        #expect(try await found([template]).isEmpty)
    }

    @Test("A key without the Manage right causes a credentials error")
    func keyWithoutTheManageRightCausesACredentialsError() async throws {
        try await AgainstLocalHub.with(rule: .developmentSend) { client, _ in
            do throws(HubInquiryFailure) {
                _ = try await HubDeviceDirectory(client: client)
                    .platforms(of: Self.alice, among: [.apns])
                Issue.record("the hub listed registrations")
            } catch {
                guard case .credentials(let text) = error else {
                    Issue.record("\(error)")
                    return
                }
                #expect(text.contains("the Manage right"))
            }
        }
    }
}
