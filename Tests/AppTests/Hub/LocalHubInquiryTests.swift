import DeviceSimulation
import Foundation
import NotificationHubs
import TestBackend
import TestSupport
import Testing

@testable import App

/// Tests that a local hub, or another server in its place, is asked for the hub's name.
@Suite(.bounded) struct LocalHubInquiryTests {
    /// Asks for the name, and expects an error without the key.
    private func expect(
        _ origin: String, isPassing: Bool = false, says texts: [String],
        within deadline: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let string = try ConnectionString(
            parsing: "Endpoint=\(origin)/;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0")
        let inquiry = try LocalHubInquiry(
            of: string.endpoint, setting: "X", deadline: deadline)
        let fault = await #expect(throws: DeviceError.self, sourceLocation: sourceLocation) {
            try await inquiry.name { try HubName($0) }
        }
        #expect(fault?.isPassing == isPassing, sourceLocation: sourceLocation)
        let said = fault?.description ?? ""
        for text in texts + [origin] {
            #expect(said.contains(text), "\(said)", sourceLocation: sourceLocation)
        }
        #expect(!said.contains("c2VjcmV0"), sourceLocation: sourceLocation)
    }

    /// Answers in the same way as `GET /.hubsend`.
    private static func hub(
        _ hubs: String
    ) -> @Sendable (ScriptedRequest, Int) -> ScriptedAnswer {
        { _, _ in .text("{\"hub\":\"first\",\"hubs\":\(hubs),\"newest\":7}") }
    }

    @Test(
        "The only hub is chosen, or the hub with the default name if there are several",
        arguments: [
            ("[\"contoso\"]", "contoso"), ("[\"a\",\"hubsend\",\"b\"]", "hubsend"),
        ])
    func onlyHubIsChosenOrTheHubWithTheDefaultNameIfThereAreSeveral(hubs: String, name: String)
        async throws
    {
        try await ScriptedBackend.run(Self.hub(hubs)) { origin, backend in
            let string = try ConnectionString(
                parsing: "Endpoint=\(origin)/;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0")
            let found = try await LocalHubInquiry(
                of: string.endpoint, setting: "X"
            )
            .name { try HubName($0) }
            #expect(found.rawValue == name)
            #expect(backend.requests.map(\.line) == ["GET /.hubsend"])
        }
    }

    @Test("With several hubs, none is chosen automatically")
    func withSeveralHubsNoneIsChosenAutomatically() async throws {
        try await ScriptedBackend.run(Self.hub("[\"b\",\"a\"]")) { origin, backend in
            try await expect(
                origin, says: ["serves several hubs: a, b.", "HUBSEND_HUB_NAME"])
            #expect(backend.requests.map(\.line) == ["GET /.hubsend"])
        }
    }

    @Test("A local hub without any hubs is reported")
    func localHubWithoutAnyHubsIsReported() async throws {
        try await ScriptedBackend.run(Self.hub("[]")) { origin, _ in
            try await expect(origin, says: ["has no hubs left"])
        }
    }

    @Test(
        "Another server is not mistaken for a local hub",
        arguments: [
            ScriptedAnswer.status(404), .status(302, ["Location": "http://127.0.0.1:1/"]),
            .text("hello"), .text("{}"), .text("{\"hubs\":[\"a/b\"]}"), .text("{\"hubs\":[7]}"),
            ScriptedAnswer(repeats: 400, body: [UInt8](repeating: 32, count: 1_000)),
        ])
    func anotherServerIsNotMistakenForALocalHub(answer: ScriptedAnswer) async throws {
        try await ScriptedBackend.run({ _, _ in answer }) { origin, backend in
            try await expect(
                origin, says: ["is not a local hub", "HUBSEND_HUB_NAME"])
            #expect(backend.requests.count == 1, "no redirect is followed, nothing tried again")
        }
    }

    @Test("A hub that does not answer causes a temporary error")
    func hubThatDoesNotAnswerCausesATemporaryError() async throws {
        let hanging = ScriptedAnswer(body: [UInt8](Data("{\"hubs\":".utf8)), hangs: true)
        try await ScriptedBackend.run({ _, _ in hanging }) { origin, _ in
            try await expect(
                origin, isPassing: true, says: ["did not report its name within 1 s"],
                within: .milliseconds(200))
        }
    }
}
