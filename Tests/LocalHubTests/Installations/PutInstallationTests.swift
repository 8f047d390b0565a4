import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct PutInstallationTests {
    private static func tagged(_ tags: String) -> String {
        #"{"installationId":"1","platform":"apns","pushChannel":"a","tags":[\#(tags)]}"#
    }

    @Test("An installation is reached by tag, user and ID")
    func installationIsReachedByTagUserAndID() async throws {
        let hub = try HubUnderTest()
        let response = try await hub.install(
            "i-1", tags: ["username:alice", "news"], userID: "alice-id")
        #expect(response.status == .ok)
        #expect(response.text.isEmpty)
        for tags in [
            "news", "username:alice", "$InstallationId:{i-1}", "$UserId:{alice-id}",
            "news && $UserId:{alice-id}",
        ] {
            #expect(try await hub.send(tags: tags).status == .created)
        }
        #expect(await hub.server.received(by: "alice").count == 5)
        #expect(await hub.server.received(by: "alice-id").count == 5)
        #expect(hub.server.counts.devices == 1)
    }

    @Test("A second PUT replaces the installation")
    func secondPUTReplacesTheInstallation() async throws {
        let hub = try HubUnderTest()
        _ = try await hub.install("i-1", tags: ["old"])
        #expect(try await hub.install("i-1", tags: ["username:alice"]).status == .ok)
        _ = try await hub.send(tags: "old")
        #expect(await hub.server.received(by: "alice").isEmpty)
        _ = try await hub.send(tags: "username:alice")
        #expect(await hub.server.received(by: "alice").count == 1)
        #expect(hub.server.counts.devices == 1)
    }

    @Test(
        "A body that is not an installation returns 400",
        arguments: [
            "{}", #"{"installationId":"1"}"#,
            #"{"installationId":"1","platform":"apns","pushChannel":""}"#,
            #"{"installationId":"1","platform":"apns","pushChannel":7}"#,
            #"{"installationId":"1","platform":"apns","pushChannel":"a","tags":"b"}"#,
            #"{"installationId":"1","platform":"apns","pushChannel":"a","tags":[""]}"#,
            tagged("\"\(String(repeating: "x", count: 121))\""),
            String(repeating: #"{"a":"#, count: 10_000),
        ])
    func bodyThatIsNotAnInstallationReturns400(body: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.put, "/hubsend/installations/1", body: body)
        #expect(response.status == .badRequest)
        #expect(response.text.hasPrefix("<Error><Code>400</Code><Detail>"))
        #expect(hub.server.counts.devices == 0)
    }
}
