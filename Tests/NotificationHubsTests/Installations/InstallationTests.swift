import FoundationEssentials
import LocalHub
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct InstallationTests {
    @Test(
        "An installation is read back as it was written",
        arguments: RegistrationTests.channels.filter {
            $0 != .windows(channelURI: "https://w/?a=1&b=2", secondaryTile: "t")
        })
    func installationIsReadBackAsItWasWritten(channel: DeviceChannel) async throws {
        try await AgainstLocalHub.with { client, _ in
            var installation = Installation(
                id: "i1", channel: channel, tags: ["a", "b"], userID: "u")
            installation.pushVariables = ["v": "1"]
            installation.templates = [
                "n": InstallationTemplate(
                    body: "{\"a\":\"$(b)\"}", headers: ["X-WNS-Type": "wns/raw"])
            ]
            installation.expirationTime = Date(timeIntervalSince1970: 4_000_000_000)
            try await client.put(installation)
            var expected = installation
            expected.templates["n"]?.tags = ["n"]
            #expect(try await client.installation(id: "i1") == expected)
            try await client.deleteInstallation(id: "i1")
            try await client.deleteInstallation(id: "i1")
            #expect(try await client.installation(id: "i1") == nil)
        }
    }

    @Test("A patch changes each part of an installation")
    func patchChangesEachPartOfAnInstallation() async throws {
        try await AgainstLocalHub.with { client, hub in
            try await client.put(
                Installation(
                    id: "i", channel: .apple(deviceToken: "AB"), tags: ["a"],
                    userID: "u"))
            try await client.patch(
                installation: "i",
                [
                    .addTag("username:alice"), .removeTag("a"), .setUserID(nil),
                    .setPushChannel("CD"),
                    .setTemplate(
                        "n/1",
                        InstallationTemplate(
                            body: "{\"a\":\"\\\"$(b)\"}", headers: ["h": "1"], tags: ["t"])),
                    .setTemplateBody("n/1", "{}"),
                ])
            let changed = try #require(try await client.installation(id: "i"))
            #expect(changed.tags == ["username:alice"])
            #expect(changed.userID == nil)
            #expect(changed.channel == .apple(deviceToken: "CD"))
            #expect(
                changed.templates == [
                    "n/1": InstallationTemplate(
                        body: "{}", headers: ["h": "1"], tags: ["t", "n/1"])
                ])
            try await client.patch(installation: "i", [.removeTemplate("n/1"), .setUserID("v")])
            #expect(try await client.installation(id: "i")?.templates == [:])
            #expect(try await client.installation(id: "i")?.userID == "v")
            _ = try await client.send(.silent(), to: TagExpression(Tag("username:alice")))
            #expect(await hub.received(by: "alice").count == 1)
        }
    }

    @Test("Patching a missing installation causes an error")
    func patchingAMissingInstallationCausesAnError() async throws {
        try await AgainstLocalHub.with { client, _ in
            _ = await #expect {
                try await client.patch(installation: "none", [.addTag("a")])
            } throws: { error in
                (error as? HubError)?.status == 404
                    && (error as? HubError)?.disposition == .rejected
            }
        }
    }

    @Test(
        "An invalid installation is not sent",
        arguments: [
            (
                Installation(id: "a/b", channel: .apple(deviceToken: "a")),
                RegistrationError.invalidID
            ),
            (Installation(id: "", channel: .apple(deviceToken: "a")), .invalidID),
            (Installation(id: "a", channel: .apple(deviceToken: "")), .invalidHandle),
            (
                Installation(id: "a", channel: .windows(channelURI: "w", secondaryTile: "t")),
                .misplacedTile
            ),
            (
                Installation(id: "a", channel: .browser(endpoint: "e", p256dh: "", auth: "a")),
                .invalidHandle
            ),
            (Installation(id: "a", channel: .apple(deviceToken: "a"), tags: ["ä"]), .invalidTag),
            (Installation(id: "a", channel: .unknown(name: "x")), .unknownChannel),
        ])
    func invalidInstallationIsNotSent(
        installation: Installation, error: RegistrationError
    ) async throws {
        try await NotificationHubClient.with(answering: .status(200)) { client, hub in
            let put = await #expect(throws: HubError.self) {
                try await client.put(installation)
            }
            #expect(put?.cause == .invalidRegistration(error))
            #expect(hub.record.requests.isEmpty)
        }
    }

    @Test(
        "A response that is not an installation causes an error",
        arguments: ["", "{}", "<xml/>", "[]", String(repeating: "[", count: 100_000)])
    func responseThatIsNotAnInstallationCausesAnError(body: String) async throws {
        try await NotificationHubClient.with(answering: .status(200, body: body)) { client, _ in
            _ = await #expect(throws: HubError.self) { try await client.installation(id: "i") }
        }
    }

    @Test("Unknown members and platforms are tolerated")
    func unknownMembersAndPlatformsAreTolerated() async throws {
        let body = #"{"installationId":"i","platform":"new","pushChannel":"h","x":[1],"tags":null}"#
        try await NotificationHubClient.with(answering: .status(200, body: body)) { client, _ in
            let installation = try await client.installation(id: "i")
            #expect(installation?.channel == .unknown(name: "new"))
            #expect(installation?.tags == [])
        }
    }
}
