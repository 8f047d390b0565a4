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
    func withoutATerminalACampaignIsNotSentBeforeItsStart(options: [String]) async throws {
        let workspace = try workspace()
        let result = try await Binary.run(
            ["run", "notice.yaml"] + options, in: workspace, status: 2)
        #expect(result.complaints.contains("scheduled for \(Self.start)"))
        #expect(result.complaints.contains("--now"))
        #expect(result.output.isEmpty)
        #expect(try await !isSent(in: workspace))
    }

    @Test("The suggested command sends the campaign in place of its scheduled start")
    func suggestedCommandSendsTheCampaignInPlaceOfItsScheduledStart() async throws {
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
        #expect(!preview.output.contains("next scheduled for"))
        let json = try await Binary.run(["schedule", "--format", "json"], in: workspace)
        #expect(json.output.contains("\"sent_early\""))
        #expect(json.output.contains("\"occurrences\":[]"))
        // A further call neither asks for confirmation nor sends anything.
        let again = try await Binary.run(["run", "notice.yaml"], in: workspace)
        #expect(again.status == 0 && again.complaints.isEmpty)
    }

    @Test("The question includes the start, and answering no sends nothing")
    func questionIncludesTheStartAndAnsweringNoSendsNothing() async throws {
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

    @Test("A recurring campaign that is sent early keeps its next start")
    func recurringCampaignThatIsSentEarlyKeepsItsNextStart() async throws {
        let workspace = try workspace("cron: \"0 9 1 12 *\"")
        let refusal = try await Binary.run(["run", "notice.yaml"], in: workspace, status: 2)
        #expect(refusal.complaints.contains(" and will be sent then too."))
        let first = try await Binary.run(["schedule"], in: workspace)
        #expect(first.output.contains("notice first starts on "))
        let yes = try await Binary.answer(
            ["run", "notice.yaml"], asked: "Send it now as well?", with: "y\n",
            thenSaying: "finished", in: workspace)
        #expect(yes.status == 0)
        let schedule = try await Binary.run(["schedule"], in: workspace)
        #expect(schedule.output.contains("notice was sent early, on "))
        #expect(schedule.output.contains("-12-01 09:00 +01:00."))
        let preview = try await Binary.run(["preview", "notice.yaml"], in: workspace)
        #expect(preview.output.contains("sent early, on "))
        #expect(preview.output.contains("next scheduled for"))
    }

    @Test(
        "A rehearsal, a dry run and a past start do not require --now",
        arguments: [["--to", "alice"], ["--dry-run"]])
    func rehearsalADryRunAndAPastStartDoNotRequireNow(options: [String]) async throws {
        try await Binary.run(["run", "notice.yaml"] + options, in: try workspace(), status: 0)
        let over = try await Binary.run(
            ["run", "notice.yaml"], in: try workspace("at: 2020-12-01T09:00"))
        #expect(over.status == 0 && over.complaints.isEmpty)
    }

    @Test("With --yes, a terminal shows that the campaign is early")
    func withYesATerminalShowsThatTheCampaignIsEarly() async throws {
        try await Binary.run(
            ["run", "--yes", "notice.yaml"], onATerminalShowing: ["Sending it now instead."],
            in: workspace())
    }

    @Test("If one campaign is early, none of the command's campaigns is sent")
    func ifOneCampaignIsEarlyNoneOfTheCommandsCampaignsIsSent() async throws {
        let workspace = try workspace()
        try workspace.write(Campaigns.secure("other"), to: "other.yaml")
        try await Binary.run(["run", "other.yaml", "notice.yaml"], in: workspace, status: 2)
        #expect(try await !isSent(in: workspace))
    }

    @Test("--now cannot be combined with --due") func nowCannotBeCombinedWithDue() async throws {
        let result = try await Binary.run(
            ["run", "--due", "--now"], in: try workspace(), status: 2)
        #expect(result.complaints.contains("leave out --now or --due"))
    }
}
