import DeviceSimulation
import Foundation
import LocalHub
import NotificationHubs
import TestBackend
import TestSupport
import Testing

@testable import hubsend

/// A local hub is found by nothing but its connection string, which does not say its name.
@Suite(.bounded) struct LocalHubNameTests {
    private static func environment(_ origin: String) -> [String: String] {
        [
            "HUBSEND_HUB_CONNECTION_STRING":
                "Endpoint=\(origin)/;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0"
        ]
    }

    /// Asks for the name, and expects a sentence that tells no key.
    private func expect(
        _ origin: String, status: Int32, says texts: [String],
        within deadline: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let string = try ConnectionString(
            parsing: "Endpoint=\(origin)/;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0")
        let inquiry = try LocalHubInquiry(of: string.endpoint, setting: "X", deadline: deadline)
        let fault = await #expect(throws: LocalHubNameFault.self, sourceLocation: sourceLocation) {
            try await inquiry.name { try HubName($0) }
        }
        let end = fault.map { FailureTranslation.end(for: $0) }
        #expect(end?.status.rawValue == status, sourceLocation: sourceLocation)
        for text in texts + [origin] {
            #expect(
                end?.message.contains(text) == true, "\(end?.message ?? "")",
                sourceLocation: sourceLocation)
        }
        #expect(end?.message.contains("c2VjcmV0") == false, sourceLocation: sourceLocation)
    }

    /// Answers as `GET /.hubsend` and takes every send.
    private static func hub(
        _ hubs: String
    ) -> @Sendable (ScriptedRequest, Int) -> ScriptedAnswer {
        { request, _ in
            request.line == "GET /.hubsend"
                ? .text("{\"hub\":\"first\",\"hubs\":\(hubs),\"newest\":7}") : .status(201)
        }
    }

    @Test(
        arguments: [
            ("[\"contoso\"]", "contoso"), ("[\"a\",\"hubsend\",\"b\"]", "hubsend"),
        ])
    func theNameIsThatOfTheOnlyHubOrTheUsualOne(hubs: String, name: String) async throws {
        try await ScriptedBackend.run(Self.hub(hubs)) { origin, backend in
            let string = try ConnectionString(
                parsing: "Endpoint=\(origin)/;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0")
            let found = try await LocalHubInquiry(of: string.endpoint, setting: "X")
                .name { try HubName($0) }
            #expect(found.rawValue == name)
            #expect(backend.requests.map(\.line) == ["GET /.hubsend"])
        }
    }

    @Test(
        arguments: [
            ["HUBSEND_HUB_NAME": "mine"],
            [
                "HUBSEND_HUB_CONNECTION_STRING":
                    "SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0;EntityPath=mine"
            ],
        ])
    func aNameThatIsGivenIsNotAskedFor(variables: [String: String]) async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await ScriptedBackend.run(Self.hub("[\"hubsend\"]")) { origin, backend in
            var environment = Self.environment(origin)
            environment.merge(variables) { $1 + ";Endpoint=\(origin)/" }
            let result = try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment)
            #expect(result.status == 0, "\(result.complaints)")
            let lines = backend.requests.map(\.target)
            #expect(lines.count == 2)
            #expect(lines.allSatisfy { $0.hasPrefix("/mine/messages") }, "\(lines)")
        }
    }

    @Test func ofSeveralHubsNoneIsGuessed() async throws {
        try await ScriptedBackend.run(Self.hub("[\"b\",\"a\"]")) { origin, backend in
            try await expect(
                origin, status: 2,
                says: ["has several hubs: a, b.", "HUBSEND_HUB_NAME"])
            #expect(backend.requests.map(\.line) == ["GET /.hubsend"])
        }
    }

    @Test func aHubWithoutHubsIsSaid() async throws {
        try await ScriptedBackend.run(Self.hub("[]")) { origin, _ in
            try await expect(origin, status: 2, says: ["has no hub any more"])
        }
    }

    @Test(
        arguments: [
            ScriptedAnswer.status(404), .status(302, ["Location": "http://127.0.0.1:1/"]),
            .text("hello"), .text("{}"), .text("{\"hubs\":[\"a/b\"]}"), .text("{\"hubs\":[7]}"),
            ScriptedAnswer(repeats: 400, body: [UInt8](repeating: 32, count: 1_000)),
        ])
    func somethingElseIsNotTakenForAHub(answer: ScriptedAnswer) async throws {
        try await ScriptedBackend.run({ _, _ in answer }) { origin, backend in
            try await expect(
                origin, status: 2, says: ["is no local hub", "HUBSEND_HUB_NAME"])
            #expect(backend.requests.count == 1, "no redirect is followed, nothing tried again")
        }
    }

    @Test func aHubThatDoesNotListenIsAPassingTroubleAndNoStoreIsBegun() async throws {
        let origin = "http://127.0.0.1:1"
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try FileManager.default.removeItem(atPath: workspace.file("hubsend.yaml"))
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace, environment: Self.environment(origin))
        #expect(result.status == 75, "\(result.complaints)")
        for text in ["No local hub listens at \(origin)", "Start `hubsend hub`"] {
            #expect(result.complaints.contains(text), "\(result.complaints)")
        }
        #expect(!result.complaints.contains("c2VjcmV0"))
        #expect(try !workspace.listing().contains(".hubsend"))
    }

    @Test func aHubThatDoesNotAnswerIsAPassingTrouble() async throws {
        let hanging = ScriptedAnswer(body: [UInt8](Data("{\"hubs\":".utf8)), hangs: true)
        try await ScriptedBackend.run({ _, _ in hanging }) { origin, _ in
            try await expect(
                origin, status: 75, says: ["did not say its name within 1 s"],
                within: .milliseconds(200))
        }
    }

    @Test func aHubElsewhereIsNeverAsked() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace,
            environment: Self.environment("sb://contoso.servicebus.windows.net"))
        #expect(result.status == 2)
        #expect(result.complaints.contains("Set HUBSEND_HUB_NAME"))
    }

    @Test func aPreviewAsksNobodyAndLeavesTheNameOpen() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await ScriptedBackend.run(Self.hub("[\"hubsend\"]")) { origin, backend in
            for arguments in [
                ["preview", "--requests"], ["validate"], ["run", "--dry-run", "--json"],
            ] {
                let result = try await Binary.run(
                    arguments + ["notice.yaml"], in: workspace,
                    environment: Self.environment(origin))
                #expect(result.status == 0, "\(result.complaints)")
                if arguments != ["validate"] {
                    #expect(result.output.contains("\(origin)/<hub>/messages"), "\(result.output)")
                }
            }
            #expect(backend.requests.isEmpty)
        }
    }

    @Test func aRunNeedsNothingButTheConnectionString() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try FileManager.default.removeItem(atPath: workspace.file("hubsend.yaml"))
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            var environment = environment
            environment["HUBSEND_HUB_NAME"] = nil
            let run = try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment)
            #expect(run.status == 0, "\(run.complaints)")
            #expect(hub.counts.sends == 2)
            let again = try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment)
            #expect(again.status == 0, "it is the same hub as before: \(again.complaints)")
            #expect(hub.counts.sends == 2)
        }
    }

    @Test func aDeviceNeedsNothingButTheConnectionString() async throws {
        try await DeviceFixture.run {
            $0.method == "GET" ? .text("{\"Payload\":\"Hello\",\"Read\":true}") : .status(204)
        } _: { parts in
            var environment = parts.environment
            environment["HUBSEND_HUB_NAME"] = nil
            let nameless = DeviceFixture.Parts(
                environment: environment, backend: parts.backend, workspace: parts.workspace)
            let device = try await nameless.device(["--once"])
            #expect(try await nameless.send().status == 0)
            let result = try await device.result()
            #expect(result.status == 0, "\(result.complaints)")
            #expect(result.output.contains("Hello"))
        }
    }

    @Test func aDeviceWatchesAHubOverTLS() async throws {
        let folder = try TemporaryFolder()
        try await DeviceFixture.run(secure: folder) {
            $0.method == "GET" ? .text("{\"Payload\":\"Hello\",\"Read\":true}") : .status(204)
        } _: { parts in
            let environment = parts.environment.filter { !$0.key.hasPrefix("HUBSEND_HUB_") }
                .merging([
                    "HUBSEND_HUB_CONNECTION_STRING_FILE": folder.file("string"),
                    "HUBSEND_HUB_CA": folder.file("ca.pem"),
                ]) { $1 }
            let secure = DeviceFixture.Parts(
                environment: environment, backend: parts.backend, workspace: parts.workspace)
            let device = try await secure.device(["--once"])
            #expect(try await secure.send().status == 0)
            let result = try await device.result()
            #expect(result.status == 0, "\(result.complaints)")
            #expect(result.output.contains("Hello"))
        }
    }
}
