import Foundation
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct TargetTests {
    private let now = HubUnderTest.now

    private func outcomes(
        _ registrations: [Registration], format: String = "apple",
        to audience: SendAudience = .everyone,
        fault: @escaping (DeviceAddress) -> PushRefusal? = { _ in nil }
    ) throws -> [PushOutcome] {
        var state = HubState(
            description: HubDescription(created: HubUnderTest.now), limits: LocalHubLimits())
        for registration in registrations { try state.put(registration) }
        let payload = format == "windows" ? "<toast/>" : #"{"message":{}}"#
        let send = try SendRequest(
            ["servicebusnotification-format": format], payload: Array(payload.utf8), to: audience)
        let results = state.deliver(send, id: "n", enqueued: now, now: now, fault: fault)
        let tallies = state.notifications["n"]?.tallies ?? []
        #expect(tallies.map(\.count).reduce(0, +) == results.count)
        #expect(state.counts.arrived == results.count { $0.outcome == .success })
        return results.map(\.outcome)
    }

    private func registration(
        _ id: String, _ platform: LocalHubPlatform = .apns, _ handle: String = "AB",
        expiration: Date? = nil
    ) -> Registration {
        Registration(
            id: id, expiration: expiration, platform: platform, channel: .handle(handle), tags: [])
    }

    @Test("An expired registration is not a target") func expiredRegistrationIsNotATarget() throws {
        #expect(try outcomes([registration("1", expiration: now)]) == [])
        #expect(try outcomes([registration("1", expiration: now + 1)]) == [.success])
    }

    @Test(
        "A direct send to an expired registration is refused",
        arguments: [("apple", PushOutcome.wrongToken), ("windows", .expiredChannel)])
    func directSendToAnExpiredRegistrationIsRefused(format: String, outcome: PushOutcome) throws {
        let platform = try #require(LocalHubPlatform(format: format))
        let expired = registration("1", platform, expiration: now - 1)
        let audience = SendAudience.channels([.handle("AB")])
        #expect(try outcomes([expired], format: format, to: audience) == [outcome])
        let live = registration("2", platform)
        #expect(try outcomes([expired, live], format: format, to: audience) == [.success])
    }

    @Test("A handle that is repeated in a send is skipped")
    func handleThatIsRepeatedInASendIsSkipped() throws {
        let both = [registration("1"), registration("2"), registration("3", .apns, "CD")]
        #expect(try outcomes(both) == [.success, .skipped, .success])
        let audience = SendAudience.channels(["AB", "ab", "EF", "EF"].map(PushChannel.handle))
        #expect(try outcomes(both, to: audience) == [.success, .skipped, .success, .skipped])
    }

    @Test("A device fault overrides the outcome of the push")
    func deviceFaultOverridesTheOutcomeOfThePush() throws {
        let wrong = PushRefusal(outcome: .wrongToken, reason: "Told to.")
        let both = [registration("1"), registration("2", .apns, "CD")]
        #expect(try outcomes(both) { $0.handle == "CD" ? wrong : nil } == [.success, .wrongToken])
    }

    @Test("A native send skips template registrations")
    func nativeSendSkipsTemplateRegistrations() throws {
        var template = registration("1")
        template.template = RegistrationTemplate(body: "{}")
        #expect(try outcomes([template]) == [])
        #expect(try outcomes([template], to: .channels([.handle("AB")])) == [.success])
    }
}
