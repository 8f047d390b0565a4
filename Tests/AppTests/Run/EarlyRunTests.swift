import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct EarlyRunTests {
    private static let start = "Tue 1 Dec 2099 09:00 (Berlin)"

    private func workspace(_ schedule: String = "at: 2099-12-01T09:00") throws -> Workspace {
        try Workspace([
            "notice.yaml": Campaigns.secure()
                + "schedule: { \(schedule), time_zone: Europe/Berlin }\n"
        ])
    }

    private func isSent(in workspace: Workspace) async throws -> Bool {
        guard try workspace.listing().contains(".hubsend/store.sqlite") else { return false }
        let runs = try await Binary.run(["runs"], in: workspace)
        return runs.output.contains("finished")
    }

    @Test(
        "Without a terminal, a campaign is not sent before its start",
        arguments: [
            [], ["--yes"], ["--again"], ["--occurrence", "second"], ["--json"], ["--wait", "1s"],
        ])
    func noTerminal(options: [String]) async throws {
        let workspace = try workspace()
        let result = try await Binary.run(
            ["run", "notice.yaml"] + options, in: workspace, status: 2)
        #expect(result.complaints.contains("scheduled for \(Self.start)"))
        #expect(result.complaints.contains("--now"))
        #expect(result.output.isEmpty)
        #expect(try await !isSent(in: workspace))
    }

    @Test("The command that a refusal names sends the campaign, in the place of its start")
    func namedCommand() async throws {
        let workspace = try workspace()
        let refusal = try await Binary.run(["run", "notice.yaml"], in: workspace)
        let command = try #require(refusal.complaints.components(separatedBy: "/hubsend run ").last)
        let words = command.split(whereSeparator: \.isWhitespace).map(String.init)
        let config = ["--config", workspace.file("hubsend.yaml")]
        #expect(words == [workspace.file("notice.yaml"), "--now"] + config)
        try await Binary.run(["run"] + words, in: workspace, status: 0)
        #expect(try await isSent(in: workspace))

        let schedule = try await Binary.run(["schedule"], in: workspace)
        #expect(schedule.output.contains(/sent early, on \d{4}-\d\d-\d\d\n/))
        let preview = try await Binary.run(["preview", "notice.yaml"], in: workspace)
        #expect(preview.output.contains("sent early, on "))
        #expect(!preview.output.contains("by its schedule next"))
        let json = try await Binary.run(["schedule", "--format", "json"], in: workspace)
        #expect(json.output.contains("\"sent_early\""))
        #expect(json.output.contains("\"occurrences\":[]"))
        // A repetition asks, refuses and sends nothing.
        let again = try await Binary.run(["run", "notice.yaml"], in: workspace)
        #expect(again.status == 0 && again.complaints.isEmpty)
    }

    @Test("On a terminal the question names the start, and a no sends nothing")
    func question() async throws {
        let workspace = try workspace()
        let question = "It is scheduled for \(Self.start). Send it now instead?"
        let no = try await Binary.answer(
            ["run", "notice.yaml"], asked: question, with: "n\n", thenSaying: "Nothing was sent.",
            in: workspace)
        #expect(no.status == 0)
        #expect(try await !isSent(in: workspace))
        let yes = try await Binary.answer(
            ["run", "notice.yaml"], asked: question, with: "y\n", thenSaying: "finished",
            in: workspace)
        #expect(yes.status == 0)
        #expect(try await isSent(in: workspace))
    }

    @Test("A campaign with cron that is sent by hand keeps its next start, and all say so")
    func cron() async throws {
        let workspace = try workspace("cron: \"0 9 1 12 *\"")
        let refusal = try await Binary.run(["run", "notice.yaml"], in: workspace, status: 2)
        #expect(refusal.complaints.contains("and that start stays"))
        let first = try await Binary.run(["schedule"], in: workspace)
        #expect(first.output.contains("notice starts first on "))
        let yes = try await Binary.answer(
            ["run", "notice.yaml"], asked: "Send it now as well?", with: "y\n",
            thenSaying: "finished", in: workspace)
        #expect(yes.status == 0)
        let schedule = try await Binary.run(["schedule"], in: workspace)
        #expect(schedule.output.contains("notice was sent early, on "))
        #expect(schedule.output.contains("-12-01 09:00 +01:00 stays."))
        let preview = try await Binary.run(["preview", "notice.yaml"], in: workspace)
        #expect(preview.output.contains("sent early, on "))
        #expect(preview.output.contains("by its schedule next"))
    }

    @Test(
        "A rehearsal, a dry run and a campaign whose start is over need no --now",
        arguments: [["--to", "alice"], ["--dry-run"]])
    func othersAreNotRefused(options: [String]) async throws {
        try await Binary.run(["run", "notice.yaml"] + options, in: try workspace(), status: 0)
        let over = try await Binary.run(
            ["run", "notice.yaml"], in: try workspace("at: 2020-12-01T09:00"))
        #expect(over.status == 0 && over.complaints.isEmpty)
    }

    @Test("With --yes a terminal is told that the campaign is sent before its start")
    func yesOnATerminal() async throws {
        try await Binary.run(
            ["run", "--yes", "notice.yaml"], onATerminalShowing: ["It is sent now instead."],
            in: workspace())
    }

    @Test("One campaign with a later start keeps all of the call from being sent")
    func severalCampaigns() async throws {
        let workspace = try workspace()
        try workspace.write(Campaigns.secure("other"), to: "other.yaml")
        try await Binary.run(["run", "other.yaml", "notice.yaml"], in: workspace, status: 2)
        #expect(try await !isSent(in: workspace))
    }

    @Test("--now does not go with --due, which sends what is due")
    func nowAndDue() async throws {
        let result = try await Binary.run(
            ["run", "--due", "--now"], in: try workspace(), status: 2)
        #expect(result.complaints.contains("leave --now or --due out"))
    }
}
