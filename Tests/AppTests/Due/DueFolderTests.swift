import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct DueFolderTests {
    /// Calls hubsend as cron does, with an almost empty environment.
    private func call(_ path: String, in workspace: Workspace) async throws -> ChildProcess.Result {
        try await Binary.run(
            ["run", "--due", workspace.file(path)], in: workspace,
            environment: ["HOME": workspace.file("home")])
    }

    private func scheduled(_ schedule: String) -> String {
        Campaigns.secure() + "schedule: { \(schedule), time_zone: UTC }\n"
    }

    private func time(_ seconds: TimeInterval) -> String {
        String(Date(timeIntervalSinceNow: seconds).ISO8601Format().dropLast())
    }

    @Test("With a missing folder, every call exits with 2, but only one a day reports it")
    func withAMissingFolderEveryCallExitsWith2ButOnlyOneADayReportsIt() async throws {
        let workspace = try Workspace(["home/.profile": ""])
        let before = try workspace.listing().filter { !$0.hasPrefix("home") }
        let first = try await call("campaigns", in: workspace)
        #expect(first.status == 2)
        #expect(first.complaints.contains("Nothing will be sent until this folder exists."))
        let second = try await call("campaigns", in: workspace)
        #expect(second.status == 2)
        #expect(second.complaints.isEmpty)
        #expect(try workspace.listing().filter { !$0.hasPrefix("home") } == before)

        // A folder that disappears again is reported again.
        try workspace.write(scheduled("cron: \"0 0 1 1 *\""), to: "campaigns/notice.yaml")
        #expect(try await call("campaigns", in: workspace).status == 0)
        try FileManager.default.removeItem(atPath: workspace.file("campaigns"))
        let third = try await call("campaigns", in: workspace)
        #expect(third.status == 2)
        #expect(third.complaints.contains("Nothing will be sent"))
    }

    @Test("If a file is missing or a folder has no campaigns, the exit code is 2")
    func ifAFileIsMissingOrAFolderHasNoCampaignsTheExitCodeIs2() async throws {
        let workspace = try Workspace(["home/.profile": "", "empty/notes.txt": "nothing"])
        for (path, words) in [
            ("empty", "There is no campaign in the folder"), ("gone.yaml", "There is no file"),
            ("devices.yaml/inner", "There is no folder"),
        ] {
            for isFirst in [true, false] {
                let result = try await call(path, in: workspace)
                #expect(result.status == 2, "\(path)")
                #expect(result.complaints.contains(words) == isFirst, "\(result.complaints)")
            }
        }
        #expect(try !workspace.listing().contains(".hubsend"))
    }

    @Test("If one path is missing, the campaigns of the other paths are still sent")
    func ifOnePathIsMissingTheCampaignsOfTheOtherPathsAreStillSent() async throws {
        let workspace = try Workspace([
            "home/.profile": "", "notice.yaml": scheduled("cron: \"0 0 1 1 *\""),
        ])
        let result = try await Binary.run(
            ["run", "--due", workspace.file("gone"), workspace.file("notice.yaml")], in: workspace,
            environment: ["HOME": workspace.file("home")], status: 2)
        #expect(result.complaints.contains("Nothing from it will be sent"))
        #expect(try workspace.listing().contains(".hubsend/store.sqlite"))
    }

    @Test("A new store is reported once, with the time from which starts are sent")
    func newStoreIsReportedOnceWithTheTimeFromWhichStartsAreSent() async throws {
        let workspace = try Workspace([
            "home/.profile": "", "campaigns/notice.yaml": scheduled("cron: \"0 0 1 1 *\""),
        ])
        let first = try await call("campaigns", in: workspace)
        #expect(first.status == 0)
        #expect(
            first.complaints.contains(
                /is new\. Starts scheduled before [0-9-]+ [0-9:]+:00 UTC are not sent/))
        let second = try await call("campaigns", in: workspace)
        #expect(second.status == 0 && second.complaints.isEmpty)
    }

    @Test("The root of the file system is not searched")
    func rootOfTheFileSystemIsNotSearched() async throws {
        let workspace = try Workspace(["home/.profile": ""])
        let result = try await Binary.run(
            ["run", "--due", "/"], in: workspace, environment: ["HOME": workspace.file("home")],
            status: 2)
        #expect(result.complaints.contains("Name the folder of the campaigns"))
        #expect(result.complaints.split(separator: "\n").count == 1)
    }

    @Test("A start that is older than the store is reported once, with a command to send it")
    func startThatIsOlderThanTheStoreIsReportedOnceWithACommandToSend() async throws {
        let workspace = try Workspace([
            "home/.profile": "", "campaigns/notice.yaml": scheduled("at: \(time(-130))"),
        ])
        let first = try await call("campaigns", in: workspace)
        #expect(first.status == 3)
        #expect(first.complaints.contains("campaign notice was not sent."))
        let second = try await call("campaigns", in: workspace)
        #expect(second.status == 0 && second.complaints.isEmpty)
        let command = try #require(first.complaints.components(separatedBy: "/hubsend run ").last)
        let words = command.split(whereSeparator: \.isWhitespace).map(String.init)
        let sent = try await Binary.run(["run"] + words, in: workspace)
        #expect(sent.status == 0 && sent.complaints.isEmpty)
        let runs = try await Binary.run(["runs"], in: workspace)
        #expect(runs.output.contains("finished"))
    }
}
