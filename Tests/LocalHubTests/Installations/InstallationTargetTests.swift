import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct InstallationTargetTests {
    private static let uri = "/hubsend/installations/i1?api-version=2020-06"
    private static let list = "/hubsend/registrations?api-version=2020-06"

    private func ids(_ hub: HubUnderTest) async throws -> [String] {
        try await hub.request(.get, Self.list).text
            .matches(of: /<RegistrationId>([^<]*)</).map { String($0.output.1) }
    }

    private func toast(_ hub: HubUnderTest, tags: String) async throws {
        let sent = try await hub.send(
            "<toast/>", format: "windows", tags: tags, headers: ["X-WNS-Type": "wns/toast"])
        #expect(sent.status == .created)
    }

    @Test("A secondary tile has its own tags and templates")
    func secondaryTileHasItsOwnTagsAndTemplates() async throws {
        let hub = try HubUnderTest()
        let template = #"{"body":"<tile>$(m)</tile>","headers":{"X-WNS-Type":"wns/tile"}}"#
        let body =
            #"{"installationId":"i1","platform":"WNS","pushChannel":"c","tags":["username:app"],"#
            + #""secondaryTiles":{"weather":{"pushChannel":"d","tags":["username:tile"],"#
            + #""templates":{"news":\#(template)}}}}"#
        #expect(try await hub.request(.put, Self.uri, body: body).status == .ok)
        #expect(try await ids(hub).count == 3)
        let listed = try await hub.request(.get, Self.list).text
        #expect(listed.contains("<SecondaryTileName>weather</SecondaryTileName>"))
        #expect(listed.contains("<Tags>$InstallationId:{i1},username:app</Tags>"))
        #expect(listed.contains("<Tags>$InstallationId:{i1},username:tile</Tags>"))
        #expect(listed.contains("<Tags>$InstallationId:{i1},username:tile,news</Tags>"))

        try await toast(hub, tags: "username:tile")
        #expect(await hub.server.received(by: "tile").count == 1)
        #expect(await hub.server.received(by: "app").isEmpty)
        try await toast(hub, tags: "$InstallationId:{i1}")
        #expect(await hub.server.received(by: "app").count == 1)
        #expect(await hub.server.received(by: "tile").count == 2)
        _ = try await hub.send(#"{"m":"hi"}"#, format: "template", tags: "news")
        #expect(await hub.server.received(by: "tile").last?.text == "<tile>hi</tile>")
    }

    @Test("A patch keeps the IDs of remaining registrations")
    func patchKeepsTheIDsOfRemainingRegistrations() async throws {
        let hub = try HubUnderTest()
        let body =
            #"{"installationId":"i1","platform":"apns","pushChannel":"AB","templates":"#
            + #"{"a":{"body":"{}"},"b":{"body":"{}"}}}"#
        _ = try await hub.request(.put, Self.uri, body: body)
        let before = try await ids(hub)
        #expect(before.count == 3)
        let patch =
            #"[{"op":"remove","path":"/templates/a"},"#
            + #"{"op":"replace","path":"/pushChannel","value":"CD"}]"#
        #expect(try await hub.request(.patch, Self.uri, body: patch).status == .ok)
        #expect(try await ids(hub) == [before[0], before[2]])
    }

    @Test("An expired installation can be created again")
    func expiredInstallationCanBeCreatedAgain() async throws {
        let clock = TestClock()
        let hub = try HubUnderTest { $0.now = { clock.now } }
        // The time is 2025-12-31T23:00:00Z.
        let body =
            #"{"installationId":"i1","platform":"apns","pushChannel":"AB12","#
            + #""expirationTime":"2026-01-01T00:00Z","tags":["username:alice"]}"#
        _ = try await hub.request(.put, Self.uri, body: body)
        clock.advance(by: 3_599)
        _ = try await hub.send()
        #expect(await hub.server.received(by: "alice").count == 1)
        #expect(try await hub.request(.get, Self.uri).status == .ok)
        clock.advance(by: 1)
        _ = try await hub.send()
        #expect(hub.server.counts.withoutTarget == 1)
        #expect(try await ids(hub).isEmpty)
        let patch = #"[{"op":"replace","path":"/expirationTime","value":"2027-01-01"}]"#
        for method in [HTTPRequest.Method.get, .patch] {
            let answer = try await hub.request(method, Self.uri, body: patch)
            #expect(answer.status == .notFound)
        }
        let again = body.replacing("2026-01-01", with: "2026-01-02")
        #expect(try await hub.request(.put, Self.uri, body: again).status == .ok)
        #expect(try await hub.request(.get, Self.uri).status == .ok)
        #expect(try await ids(hub).count == 1)
    }

    @Test(
        "An installation can be written back as it was read",
        arguments: [("my template", []), ("t", (1...60).map { "tag\($0)" })])
    func installationCanBeWrittenBackAsItWasRead(name: String, tags: [String]) async throws {
        let hub = try HubUnderTest()
        let body =
            #"{"installationId":"i1","platform":"apns","pushChannel":"AB","templates":"#
            + #"{"\#(name)":{"body":"{}","tags":\#(JSONText.array(tags))}}}"#
        #expect(try await hub.request(.put, Self.uri, body: body).status == .ok)
        let read = try await hub.request(.get, Self.uri).text
        #expect(read.contains(#""tags":\#(JSONText.array(tags + [name]))"#))
        #expect(try await hub.request(.put, Self.uri, body: read).status == .ok)
        let patch = #"[{"op":"replace","path":"/pushChannel","value":"AB"}]"#
        #expect(try await hub.request(.patch, Self.uri, body: patch).status == .ok)
        #expect(try await hub.request(.get, Self.uri).text == read)
    }

    @Test(
        "Installations require the Listen right",
        arguments: [HTTPRequest.Method.get, .put, .patch, .delete])
    func installationsRequireTheListenRight(method: HTTPRequest.Method) async throws {
        let hub = try HubUnderTest()
        let answer = try await hub.request(
            method, Self.uri, token: TestToken.make(.developmentSend), body: "{}")
        #expect(answer.status == .forbidden)
    }
}
