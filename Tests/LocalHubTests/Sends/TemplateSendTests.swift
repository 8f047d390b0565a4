import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct TemplateSendTests {
    private func state(_ registrations: [Registration]) throws -> HubState {
        var state = HubState(
            description: HubDescription(created: HubUnderTest.now), limits: LocalHubLimits())
        for registration in registrations { try state.put(registration) }
        return state
    }

    private func registration(
        _ id: String, _ platform: LocalHubPlatform, _ handle: String, body: String?,
        name: String? = nil, variables: [String: String] = [:]
    ) -> Registration {
        Registration(
            id: id, platform: platform, channel: .handle(handle), tags: ["t"],
            pushVariables: variables,
            template: body.map { RegistrationTemplate(body: $0, name: name) })
    }

    private func bodies(_ state: HubState, _ platform: LocalHubPlatform, _ handle: String)
        -> [String]
    {
        let device = state.devices[DeviceAddress(platform: platform, handle: handle)]
        return device?.kept.compactMap { state.devices.push($0)?.push.text } ?? []
    }

    @Test("A template send renders each registration's own template")
    func templateSendRendersEachRegistrationsOwnTemplate() throws {
        let fcm = #"{"message":{"data":{"text":"$(text)","city":"$(City)"}}}"#
        var state = try state([
            registration("1", .apns, "A", body: #"{"aps":{"alert":"$(Text)"}}"#, name: "plain"),
            registration("2", .apns, "A", body: #"{"aps":{"alert":"$(text)!"}}"#, name: "loud"),
            registration("3", .apns, "A", body: #"{"aps":{"alert":"$(text)"}}"#, name: "plain"),
            registration("4", .fcm, "B", body: fcm, variables: ["city": "Rome", "TEXT": "no"]),
            registration("5", .wns, "C", body: "<toast>$(text)</toast>"),
            registration("6", .apns, "D", body: nil),
        ])
        for format in [nil, "Template"] as [String?] {
            var fields: [String: String] = [:]
            fields["servicebusnotification-format"] = format
            let send = try SendRequest(
                fields, payload: Array(#"{"TEXT":"hi"}"#.utf8), to: .matching(.term(.tag("t"))))
            let results = state.deliver(
                send, id: "\(format ?? "")", enqueued: HubUnderTest.now, now: HubUnderTest.now,
                fault: { _ in nil })
            #expect(results.map(\.outcome) == [.success, .success, .skipped, .success, .success])
        }
        #expect(
            bodies(state, .apns, "A").prefix(2)
                == [#"{"aps":{"alert":"hi"}}"#, #"{"aps":{"alert":"hi!"}}"#])
        #expect(
            bodies(state, .fcm, "B").first == #"{"message":{"data":{"text":"hi","city":"Rome"}}}"#)
        #expect(bodies(state, .wns, "C").first == "<toast>hi</toast>")
        #expect(bodies(state, .apns, "D").isEmpty)
        let record = try #require(state.notifications["Template"])
        let details = try #require(
            NotificationDetails(of: record, at: HubUnderTest.now, delay: .zero))
        let xml = NotificationDetailsDocument(
            record: record, details: details, location: "sb://h/hub/messages/x"
        ).xml
        #expect(
            xml.contains(
                "<TargetPlatforms>appletemplate,fcmv1template,windowstemplate</TargetPlatforms>"))
    }

    @Test("A template send works over HTTP") func templateSendWorksOverHTTP() async throws {
        let hub = try HubUnderTest()
        let sent = try await hub.send(#"{"a":"b"}"#, format: nil, tags: nil)
        #expect(sent.status == .created)
        #expect(hub.server.counts.withoutTarget == 1)
        let malformed = try await hub.send(#"{"a":1}"#, format: "template")
        #expect(malformed.status == .badRequest)
    }
}
