import LocalHub
import Synchronization
import TestSupport
import Testing

@Suite(.bounded) struct NamedRunTests {
    @Test("A report is found by its campaign's name")
    func reportIsFoundByItsCampaignsName() async throws {
        let workspace = try Workspace([
            "first.yaml": Campaigns.secure("first"), "second.yaml": Campaigns.secure("second"),
        ])
        try await Binary.run(
            ["run", "first.yaml", "second.yaml"], in: workspace, status: 0)
        for name in ["first", "second"] {
            let report = try await Binary.run(
                ["report", name, "--output", "-"], in: workspace, status: 0)
            let rows = report.output.split(separator: "\n").dropFirst()
            #expect(rows.count == 2)
            #expect(rows.allSatisfy { $0.contains(",\(name),") })
        }
        let shown = try await Binary.run(["runs", "show", "first"], in: workspace)
        #expect(shown.output.hasPrefix("first: finished, 2 pushes accepted\n"), "\(shown)")
        let object = try await Binary.run(
            ["runs", "show", "first", "--format", "json"], in: workspace)
        #expect(object.output.hasPrefix("{\"campaign\":\"first\","), "\(object)")
        let page = try await Binary.run(["report", "second", "--format", "html"], in: workspace)
        #expect(page.output.hasSuffix("-second.html\n"), "\(page)")
    }

    @Test("An unknown run is explained") func unknownRunIsExplained() async throws {
        let workspace = try await SentFiles.notice()
        let resumed = try await Binary.run(["resume", "third"], in: workspace, status: 2)
        #expect(resumed.complaints.contains("This store has no run of campaign third"))
        for (name, words) in [
            ("third", "This store has no run of campaign third"),
            ("notice.yaml", "use the name after `campaign:` in the file"),
            ("Notice", "nor the name of a campaign"),
        ] {
            let result = try await Binary.run(["report", name], in: workspace, status: 2)
            #expect(result.complaints.contains(words), "\(result.complaints)")
        }
    }

    @Test("A campaign's unfinished run is resumed unless there are several")
    func campaignsUnfinishedRunIsResumedUnlessThereAreSeveral() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let isOpen = Atomic(false)
        try await HubFixture.run(
            people: ["alice", "bob"],
            fault: { _ in isOpen.load(ordering: .relaxed) ? nil : .answer(status: 401) }
        ) { environment, hub in
            func run(_ arguments: [String], status: Int32) async throws -> ChildProcess.Result {
                let result = try await Binary.run(
                    arguments, in: workspace, environment: environment, status: status)
                return result
            }
            _ = try await run(["run", "notice.yaml"], status: 4)
            _ = try await run(["run", "notice.yaml", "--occurrence", "monday"], status: 4)
            let several = try await run(["resume", "notice"], status: 2)
            #expect(several.complaints.contains("has 2 unfinished runs: 2"))
            isOpen.store(true, ordering: .relaxed)
            let before = hub.counts.sends
            _ = try await run(["run", "notice.yaml"], status: 0)
            _ = try await run(["resume", "notice"], status: 0)
            #expect(hub.counts.sends == before + 4)
            _ = try await run(["resume", "notice"], status: 0)
            #expect(hub.counts.sends == before + 4)
        }
    }

    @Test("A list is cut to the width of the terminal, but not if it is piped")
    func listIsCutToTheWidthOfTheTerminalButNotIfItIsPiped() async throws {
        let name = String(repeating: "spring-", count: 8) + "sale"
        let workspace = try Workspace(["notice.yaml": Campaigns.secure(name)])
        try await Binary.run(["run", "notice.yaml"], in: workspace, status: 0)
        let piped = try await Binary.run(["runs"], in: workspace)
        #expect(piped.output.contains("  \(name)  once        finished "))
        let terminal = try PseudoTerminal()
        defer { withExtendedLifetime(terminal) {} }
        let shown = try await Binary.start(
            ["-c", #""$0" runs >"$TERMINAL"; read -r key <"$TERMINAL""#, Binary.path],
            of: "/bin/sh", in: workspace, environment: ["TERMINAL": terminal.path])
        try await shown.wait(for: terminal.shows("  spring-spring-sprin…  finished  "))
        terminal.press("\n")
        #expect(try await shown.result().status == 0)
    }

    @Test("Rejections are grouped by reason in the summary and in mail")
    func rejectionsAreGroupedByReasonInTheSummaryAndInMail() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(fault: { _ in .answer(status: 400) }) { environment, _ in
            let run = try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 3)
            #expect(run.complaints.contains(" Most frequent reason: HTTP 400"))
            #expect(run.complaints.contains(" (2 rejected). Report: "), "\(run.complaints)")
            #expect(!run.complaints.contains("TrackingId"))
            #expect(!run.complaints.contains("alice"))
        }
        let text = try await Binary.run(["report", "--format", "text"], in: workspace)
        #expect(
            text.output.contains("  2  rejected  such as alice  HTTP 400"), "\(text.output)")
        #expect(!text.output.contains("TrackingId"))
        #expect(!text.output.contains("more for other reasons"))
    }

    @Test("Log lines begin with their time") func logLinesBeginWithTheirTime() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let run = try await Binary.run(
            ["run", "--verbose", "notice.yaml"], in: workspace, status: 0)
        let lines = run.complaints.split(separator: "\n")
        #expect(lines.contains { $0.contains("Z info hubsend: Staged a run ") })
        #expect(
            lines.allSatisfy {
                $0.prefixMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [a-z]+ [a-z.-]+: /#)
                    != nil
            }, "\(run.complaints)")
    }
}
