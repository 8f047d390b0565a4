import Foundation
import LocalHub
import SQLiteDriver
import TestSupport
import Testing

@Suite(.bounded) struct HubSettingsTests {
    private static let key = "c2VjcmV0c2VjcmV0"
    private static let string =
        "Endpoint=sb://contoso.invalid/;SharedAccessKeyName=rule;SharedAccessKey=\(key)"

    private func workspace(_ config: String) throws -> Workspace {
        try Workspace([
            "notice.yaml": Campaigns.secure(
                delivery: ["rate: unlimited", "retry: { attempts: 2, for: 2s }"]),
            "hubsend.yaml": config,
        ])
    }

    @Test("A config named hubsend.yml is refused, so that its exclusions are not missed")
    func configNamedHubsendYmlIsRefusedSoThatItsExclusionsAreNot() async throws {
        let workspace = try Workspace([
            "push/hubsend.yml": "defaults: { audience: { exclude: { usernames: [alice] } } }\n",
            "push/notice.yaml": Campaigns.secure(),
        ])
        for command in ["run", "preview", "validate"] {
            let result = try await Binary.run(
                [command, "push/notice.yaml"], in: workspace, status: 2)
            #expect(result.complaints.contains("push/hubsend.yml is not read"))
            #expect(result.complaints.contains("Rename it: mv "))
        }
        #expect(try !workspace.listing().contains { $0.contains(".sqlite") })
    }

    /// Expects `run` and `doctor` to refuse the settings with the same words, without the key.
    private func refused(
        _ workspace: Workspace, _ environment: [String: String] = [:], saying words: [String]
    ) async throws {
        let before = try workspace.listing()
        for command in [["run", "notice.yaml"], ["doctor"]] {
            let result = try await Binary.run(
                command, in: workspace, environment: environment, status: 2)
            let said = result.output + result.complaints
            for word in words { #expect(said.contains(word), "\(word): \(said)") }
            #expect(!said.contains(Self.key))
        }
        #expect(try workspace.listing() == before, "nothing is stored")
    }

    @Test("A connection string without a hub name is refused")
    func connectionStringWithoutAHubNameIsRefused() async throws {
        try await refused(
            workspace("store: a.sqlite\n"), ["HUBSEND_HUB_CONNECTION_STRING": Self.string],
            saying: [
                "HUBSEND_HUB_CONNECTION_STRING points to contoso.invalid, but the hub's name is not set",
                "HUBSEND_HUB_NAME",
            ])
    }

    @Test("An EntityPath for a different hub is refused")
    func entityPathForADifferentHubIsRefused() async throws {
        try await refused(
            workspace("store: a.sqlite\nhub: { name: my-hub }\n"),
            ["HUBSEND_HUB_CONNECTION_STRING": Self.string + ";EntityPath=news"],
            saying: ["for the hub news (its EntityPath)", "hubsend.yaml (line 2)", "my-hub"])
    }

    @Test("A local hub in the config and a real one in the environment conflict")
    func localHubInTheConfigAndARealOneInTheEnvironmentConflict() async throws {
        let workspace = try workspace("# mine\nhub: { local: devices.yaml }\n")
        let environment = [
            "HUBSEND_HUB_CONNECTION_STRING": Self.string, "HUBSEND_HUB_NAME": "news",
        ]
        let words = [
            "hubsend.yaml (line 2) names the local hub", "HUBSEND_HUB_CONNECTION_STRING",
            "contoso.invalid",
        ]
        try await refused(workspace, environment, saying: words)
        let preview = try await Binary.run(
            ["preview", "notice.yaml"], in: workspace, environment: environment, status: 2)
        for word in words { #expect(preview.complaints.contains(word)) }
        try workspace.write(Self.string, to: "key")
        try await refused(
            workspace, ["HUBSEND_HUB_CONNECTION_STRING_FILE": "key", "HUBSEND_HUB_NAME": "news"],
            saying: ["HUBSEND_HUB_CONNECTION_STRING_FILE", "contoso.invalid"])
    }

    @Test("A local hub in the config and a hub name in the environment conflict")
    func localHubInTheConfigAndAHubNameInTheEnvironmentConflict() async throws {
        let workspace = try workspace("# mine\nhub: { local: devices.yaml }\n")
        let environment = ["HUBSEND_HUB_NAME": "news"]
        let words = [
            "hubsend.yaml (line 2) names the local hub (hub.local), but HUBSEND_HUB_NAME names the hub news"
        ]
        try await refused(workspace, environment, saying: words)
        for arguments in [["preview", "notice.yaml"], ["doctor"]] {
            let result = try await Binary.run(
                arguments, in: workspace, environment: environment, status: 2)
            #expect((result.complaints + result.output).contains(words[0]), "\(arguments)")
        }
        // `validate` does not need a hub.
        try await Binary.run(
            ["validate", "notice.yaml"], in: workspace, environment: environment, status: 0)
    }

    @Test(
        "A connection string with other text around it is refused",
        arguments: [
            (#""%""#, "contains quotation marks"),
            ("HUBSEND_HUB_CONNECTION_STRING=%", "before its first part"),
            ("export HUBSEND_HUB_CONNECTION_STRING='%'\n", "before its first part"),
        ])
    func connectionStringWithOtherTextAroundItIsRefused(form: String, words: String) async throws {
        let workspace = try workspace("store: a.sqlite\n")
        let text = form.replacing("%", with: Self.string)
        try workspace.write(text, to: "key")
        for variable in [
            ["HUBSEND_HUB_CONNECTION_STRING": text], ["HUBSEND_HUB_CONNECTION_STRING_FILE": "key"],
        ] {
            try await refused(
                workspace, variable.merging(["HUBSEND_HUB_NAME": "news"]) { $1 }, saying: [words])
        }
    }
}

@Suite(.bounded) struct MissingHubTests {
    private struct Run: Decodable {
        let run: String
        let state: String
        let hub: String
        let outcomes: [String: Int]
    }

    private func runs(in workspace: Workspace) async throws -> [Run] {
        let list = try await Binary.run(["runs", "--format", "json"], in: workspace)
        return try JSONDecoder().decode([Run].self, from: Data(list.output.utf8))
    }

    @Test("After the hub name is corrected, a new run starts and ends the paused run")
    func afterTheHubNameIsCorrectedANewRunStartsAndEndsThePausedRun() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(), "hubsend.yaml": "store: a.sqlite\n",
        ])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            let wrong = environment.merging(["HUBSEND_HUB_NAME": "hbu"]) { $1 }
            let first = try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: wrong, status: 2)
            #expect(first.complaints.contains("Check the hub's name"), "\(first.complaints)")
            let command = "run \(workspace.file("notice.yaml"))"
            #expect(first.complaints.contains(command), "\(first.complaints)")
            #expect(!first.complaints.contains("resume"), "\(first.complaints)")
            #expect(!first.complaints.contains("HUBSEND_HUB_NAME=hbu"), "\(first.complaints)")
            #expect(
                first.complaints.contains(#" HUBSEND_HUB_NAME="$HUBSEND_HUB_NAME" "#),
                "\(first.complaints)")
            let paused = try #require(try await runs(in: workspace).first)
            #expect(paused.state == "paused")

            let resume = try await Binary.run(
                ["resume", paused.run], in: workspace, environment: environment, status: 2)
            #expect(resume.complaints.contains("does not exist"), "\(resume.complaints)")
            #expect(resume.complaints.contains(command), "\(resume.complaints)")

            let second = try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 0)
            #expect(second.complaints.contains("run \(paused.run)"), "\(second.complaints)")
            #expect(hub.counts.sends == 2)
        }
        let all = try await runs(in: workspace)
        #expect(all.map(\.state) == ["finished", "finished"])
        #expect(all.first?.outcomes["accepted"] == 2)
        #expect(all.last?.outcomes["not_attempted"] == 2)
    }

    @Test("A run that sent something before the hub disappeared is not ended")
    func runThatSentSomethingBeforeTheHubDisappearedIsNotEnded() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(delivery: ["rate: 1/s", "concurrency: 1"]),
            "hubsend.yaml": "store: a.sqlite\n",
        ])
        try await HubFixture.run(fault: { $0.tags == "username:bob" ? .answer(status: 404) : nil })
        { environment, _ in
            let first = try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 2)
            #expect(first.complaints.contains(" resume "), "\(first.complaints)")
        }
        let run = try #require(try await runs(in: workspace).first)
        #expect(run.state == "paused")
        #expect(run.outcomes["accepted"] == 1)
    }
}
