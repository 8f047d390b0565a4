import Files
import Foundation
import LocalHub
import TestSupport
import Testing

/// Tests a limit on open files that is lower than the number of requests in flight that a campaign
/// asks for.
@Suite(.bounded) struct OpenFileLimitTests {
    private static let people = Campaigns.people(1_200)

    private static func run(
        _ arguments: String, under limit: Int, in workspace: Workspace,
        environment: [String: String] = [:]
    ) async throws -> ChildProcess.Result {
        let script = "ulimit -n \(limit); exec '\(Binary.path)' \(arguments)"
        return try await Binary.start(
            ["-c", script], of: "/bin/bash", in: workspace, environment: environment
        ).result()
    }

    private static func workspace() throws -> Workspace {
        try Workspace([
            "notice.yaml": Campaigns.secure(
                to: people, delivery: ["rate: unlimited", "concurrency: 1024"])
        ])
    }

    @Test("A run opens no more connections than its limit allows", arguments: [1_024, 256])
    func runOpensNoMoreConnectionsThanItsLimitAllows(limit: Int) async throws {
        _ = try OpenFiles.connections(atMost: 1)
        let workspace = try Self.workspace()
        try await HubFixture.run(people: [], platforms: []) { address, hub in
            let run = try await Self.run(
                "run notice.yaml --verbose", under: limit, in: workspace,
                environment: address.environment)
            #expect(run.status == 0, "\(run.complaints)")
            #expect(run.complaints.contains(" of 1024 requests can be in flight at once"))
            #expect(hub.counts.sends == Self.people.count)
        }
    }

    @Test(
        "An open file limit that is too low is reported before anything starts",
        arguments: ["run notice.yaml", "hub", "hub exec -- true"])
    func openFileLimitThatIsTooLowIsReportedBeforeAnythingStarts(command: String) async throws {
        let workspace = try Self.workspace()
        try await HubFixture.run(people: [], platforms: []) { address, hub in
            let refused = try await Self.run(
                command, under: 40, in: workspace, environment: address.environment)
            #expect(refused.status == 2, "\(refused.complaints)")
            #expect(refused.complaints.contains("may open only 40 files and connections"))
            #expect(refused.complaints.contains("`ulimit -n 4096`"))
            #expect(hub.counts.sends == 0)
        }
    }

    @Test("With an embedded hub, the open file limit covers both ends of connections")
    func withAnEmbeddedHubTheOpenFileLimitCoversBothEndsOfConnections() async throws {
        let workspace = try Self.workspace()
        for command in ["run notice.yaml", "hub exec -- '\(Binary.path)' run notice.yaml"] {
            let run = try await Self.run(command, under: 256, in: workspace)
            #expect(run.status == 0, "\(run.complaints)")
        }
    }
}
