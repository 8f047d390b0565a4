import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct StarterTests {
    private struct Run: Decodable {
        struct Starter: Decodable {
            let user: String
            let host: String
            let sudo_user: String?
        }
        let run: String
        let started_by: Starter
    }

    @Test("The user and host that started a run are always shown")
    func userAndHostThatStartedARunAreAlwaysShown() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let run = try await Binary.run(
            ["run", "notice.yaml", "--json"], in: workspace, environment: ["SUDO_USER": "ann"],
            status: 0)
        let (user, host) = (NSUserName(), ProcessInfo.processInfo.hostName)
        let shown = try await Binary.run(
            ["runs", "show", "notice", "--format", "json"], in: workspace)
        for output in [run.output, shown.output] {
            let object = try JSONDecoder().decode(Run.self, from: Data(output.utf8))
            #expect(object.started_by.user == user)
            #expect(object.started_by.host == host)
            #expect(object.started_by.sudo_user == "ann")
        }
        for command in [
            ["runs", "show", "notice"], ["report", "--format", "text"],
            ["report", "--format", "html", "--output", "-"],
        ] {
            let result = try await Binary.run(command, in: workspace)
            #expect(result.output.contains("ann as \(user) on \(host)"), "\(command)")
        }
    }
}
