import Foundation
import LocalHub
import TestBackend
import TestSupport
import Testing

/// The connection string is enough to find a local hub, although it does not contain the hub's
/// name.
@Suite(.bounded) struct LocalHubNameTests {
    private static func environment(_ origin: String) -> [String: String] {
        [
            "HUBSEND_HUB_CONNECTION_STRING":
                "Endpoint=\(origin)/;SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0"
        ]
    }

    /// Answers `GET /.hubsend` and accepts every send.
    private static func hub(
        _ hubs: String
    ) -> @Sendable (ScriptedRequest, Int) -> ScriptedAnswer {
        { request, _ in
            request.line == "GET /.hubsend"
                ? .text("{\"hub\":\"first\",\"hubs\":\(hubs),\"newest\":7}") : .status(201)
        }
    }

    @Test(
        "A configured hub name is not looked up",
        arguments: [
            ["HUBSEND_HUB_NAME": "mine"],
            [
                "HUBSEND_HUB_CONNECTION_STRING":
                    "SharedAccessKeyName=a;SharedAccessKey=c2VjcmV0;EntityPath=mine"
            ],
        ])
    func configuredHubNameIsNotLookedUp(variables: [String: String]) async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await ScriptedBackend.run(Self.hub("[\"hubsend\"]")) { origin, backend in
            var environment = Self.environment(origin)
            environment.merge(variables) { $1 + ";Endpoint=\(origin)/" }
            try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 0)
            let lines = backend.requests.map(\.target)
            #expect(lines.count == 2)
            #expect(lines.allSatisfy { $0.hasPrefix("/mine/messages") }, "\(lines)")
        }
    }

    @Test("If the hub is not listening, a run exits with 75 and creates no store")
    func ifTheHubIsNotListeningARunExitsWith75AndCreatesNoStore() async throws {
        let origin = "http://127.0.0.1:1"
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try FileManager.default.removeItem(atPath: workspace.file("hubsend.yaml"))
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace, environment: Self.environment(origin), status: 75
        )
        for text in ["No local hub is listening at \(origin)", "Start `hubsend hub`"] {
            #expect(result.complaints.contains(text), "\(result.complaints)")
        }
        #expect(!result.complaints.contains("c2VjcmV0"))
        #expect(try !workspace.listing().contains(".hubsend"))
    }

    @Test("A preview connects to nothing and shows a placeholder for the hub's name")
    func previewConnectsToNothingAndShowsAPlaceholderForTheHubsName() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await ScriptedBackend.run(Self.hub("[\"hubsend\"]")) { origin, backend in
            for arguments in [
                ["preview", "--requests"], ["validate"], ["run", "--dry-run", "--json"],
            ] {
                let result = try await Binary.run(
                    arguments + ["notice.yaml"], in: workspace,
                    environment: Self.environment(origin), status: 0)
                if arguments != ["validate"] {
                    #expect(result.output.contains("\(origin)/<hub>/messages"), "\(result.output)")
                }
            }
            #expect(backend.requests.isEmpty)
        }
    }

    @Test("A run needs only the connection string")
    func runNeedsOnlyTheConnectionString() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try FileManager.default.removeItem(atPath: workspace.file("hubsend.yaml"))
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            var environment = environment
            environment["HUBSEND_HUB_NAME"] = nil
            try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 0)
            #expect(hub.counts.sends == 2)
            try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 0)
            #expect(hub.counts.sends == 2)
        }
    }

    /// No variable contains the hub's name.
    @Test("A device needs only the connection string, including over TLS")
    func deviceNeedsOnlyTheConnectionStringIncludingOverTLS() async throws {
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
            let result = try await device.end(0)
            #expect(result.output.contains("Hello"))
        }
    }
}
