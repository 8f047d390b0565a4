import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct RunSummaryTextTests {
    private func text(
        _ record: RunRecord, _ outcomes: [Outcome: Int], report: String? = nil,
        style: TextStyle = .plain, options: [String] = []
    ) -> String {
        let overview = RunOverview(run: record, outcomes: OutcomeCounts(outcomes), report: report)
        return RunDocument(overview: overview, command: CommandForm(options: options)).summary()
            .text(style)
    }

    @Test("A finished run has a short summary") func finishedRunHasAShortSummary() {
        #expect(
            text(
                ReportSamples.record(), [.accepted: 1970, .rejected: 4, .unknown: 1, .skipped: 1],
                report: ".hubsend/reports/20261201T090000Z-abcdef-statement-ready.csv") == """
                    statement-ready: finished, 1,970 of 1,976 pushes accepted

                      accepted  1,970  99.7 %  the hub accepted it; this does not prove arrival
                      rejected      4   0.2 %  the hub permanently refused it
                      unknown       1   0.1 %  may have gone out; the answer was lost
                      skipped       1   0.1 %  left out on purpose

                      people      988 (1,000 in the list, 12 excluded)
                      deliveries  1,976 on apns, fcm
                      requests    1,980
                      started     2026-12-01 09:00:00 UTC
                      duration    4.1s
                      hub         local/hub, a hub that runs only during the command and reaches no phones
                      run         20261201T090000Z-abcdef
                      report      .hubsend/reports/20261201T090000Z-abcdef-statement-ready.csv

                    To send it only to the people it did not reach (those with outcome unknown may have got it): hubsend run /campaigns/statement-ready.yaml --again --only rejected,unknown

                    """)
    }

    @Test("Times are also shown in the campaign's time zone")
    func timesAreAlsoShownInTheCampaignsTimeZone() {
        var details = ReportSamples.details()
        details.overview.zone = TimeZoneRules(name: "Europe/Berlin", offset: 3_600)
        let moment = "2026-12-01 09:00:00 UTC (10:00 Europe/Berlin)"
        #expect(RunDocument(overview: details.overview).summary().text().contains(moment + "\n"))
        #expect(
            RunDocument(overview: details.overview).whole(details).text().contains(moment + "\n"))
        let page = RunPage(
            details, command: CommandForm(), made: ReportSamples.start)
        #expect(String(decoding: page.header(), as: UTF8.self).contains(">\(moment)<"))
    }

    @Test("Lines of a summary fit the terminal, except for commands", arguments: [72, 80])
    func linesOfASummaryFitTheTerminalExceptForCommands(width: Int) {
        var details = ReportSamples.details(
            "HTTP 400: " + String(repeating: "no such thing ", count: 9))
        details.overview.run.finished = ReportSamples.start + 86_400
        details.overview.outcomes.tooLate = 1
        for style in [TextStyle.plain, .colored] {
            let summary = RunDocument(overview: details.overview).summary().text(
                style, width: width)
            let all = RunDocument(overview: details.overview).whole(details).text(
                style, width: width)
            for line in (summary + all).split(separator: "\n") where !line.contains("hubsend ") {
                #expect(VisibleText.width(of: line) <= width, "\(line)")
            }
            #expect(summary.contains("such thing no\n"))
        }
    }

    @Test("People skipped as too late are counted, and a remedy is given")
    func peopleSkippedAsTooLateAreCountedAndARemedyIsGiven() {
        var record = ReportSamples.record(finished: ReportSamples.start.addingTimeInterval(3_600))
        record.delivery.finishWithin = .seconds(3_600)
        var outcomes = OutcomeCounts([.accepted: 1270, .skipped: 706])
        outcomes.tooLate = 701
        let overview = RunOverview(run: record, outcomes: outcomes, report: "r.csv")
        let lines = RunDocument(overview: overview).summary().text().split(separator: "\n")
        #expect(lines.contains("  skipped     706  35.7 %  701 because time ran out, 5 on purpose"))
        let sentence = """
            701 of 1,976 deliveries were skipped as too late: `finish_within` ended at 2026-12-01 \
            10:00:00 UTC, before their turn. This run will not send to them any more; its report lists \
            them. Allow more time (`delivery.finish_within`) or a higher `delivery.rate`, then send it \
            to them: hubsend run \(record.campaignPath) --again --only skipped
            """
        #expect(lines.contains { $0 == sentence })
        var older = overview
        older.later = RunID(checked: "20261202T090000Z-abcdef")
        let lateness = older.lateness(CommandForm())
        #expect(lateness?.hasSuffix("no longer applies to these people.") == true)
        #expect(lateness?.contains("hubsend run") == false)
        #expect(
            RunDocument(overview: overview).summary().text(.colored).contains("\u{1B}[31m  skipped")
        )
    }

    @Test("An expired payload is given as the reason") func expiredPayloadIsGivenAsTheReason() {
        var outcomes = OutcomeCounts([.accepted: 1975, .skipped: 1])
        outcomes.expired = 1
        let expiry = ReportSamples.record().expires
        let overview = RunOverview(
            run: ReportSamples.record(finished: expiry), outcomes: outcomes, report: "r.csv")
        let text = RunDocument(overview: overview).summary().text()
        #expect(text.contains("time ran out before their turn\n"))
        #expect(
            text.contains(
                "\n1 of 1,976 deliveries was skipped as expired: the payload expired at 2026-"))
        #expect(text.contains("(`payload.expires_after`)"))
    }

    @Test("A deadline in the future is not reported as expired")
    func deadlineInTheFutureIsNotReportedAsExpired() {
        // A run ends early if none of the remaining waves would begin before its deadline.
        var outcomes = OutcomeCounts([.accepted: 1974, .skipped: 2])
        (outcomes.tooLate, outcomes.expired) = (1, 1)
        let overview = RunOverview(run: ReportSamples.record(), outcomes: outcomes)
        #expect(
            overview.lateness(CommandForm())?.contains(
                "`finish_within` ends at 2026-12-02 09:00:00") == true)
        #expect(
            overview.lateness(CommandForm())?.contains("the payload expires at 2026-12-08 09:00:00")
                == true)
    }

    @Test("People who were skipped on purpose do not count as errors")
    func peopleWhoWereSkippedOnPurposeDoNotCountAsErrors() {
        let text = text(ReportSamples.record(), [.accepted: 1975, .skipped: 1], style: .colored)
        #expect(!text.contains("\u{1B}[31m"))
        #expect(!text.contains("were skipped as"))
    }

    @Test("The first line says that all pushes were accepted")
    func firstLineSaysThatAllPushesWereAccepted() {
        let first = text(ReportSamples.record(), [.accepted: 1976], report: "r.csv")
            .split(separator: "\n").first
        #expect(first == "statement-ready: finished, 1,976 pushes accepted")
    }

    @Test("A paused run says why, and how to continue") func pausedRunSaysWhyAndHowToContinue() {
        let paused = text(
            ReportSamples.record(
                state: .paused, reason: "The hub at local did not answer\u{7}.", finished: nil),
            [.accepted: 500, .notAttempted: 1476], options: ["--store", "/tmp/my store.sqlite"])
        #expect(
            paused.hasPrefix(
                """
                statement-ready: paused after 500 of 1,976 pushes
                The hub at local did not answer .

                  accepted         500  25.3 %  the hub accepted it; this does not prove arrival
                  not_attempted  1,476  74.7 %  no outcome yet

                """))
        #expect(
            paused.hasSuffix(
                "\nTo continue: hubsend resume 20261201T090000Z-abcdef --store "
                    + "'/tmp/my store.sqlite'\n"))
        #expect(!paused.contains("\n  duration"))
    }

    @Test(
        "The last line is the next command",
        arguments: [
            (RunState.stopped, "To continue: hubsend resume 20261201T090000Z-abcdef"),
            (
                .running,
                "If no process is sending it any more: hubsend resume 20261201T090000Z-abcdef"
            ),
            (
                .staging,
                "If no process is sending it any more: hubsend resume 20261201T090000Z-abcdef"
            ),
            // A finished run does not need another command.
            (.finished, "  run         20261201T090000Z-abcdef"),
        ])
    func lastLineIsTheNextCommand(state: RunState, line: String) {
        let lines = text(ReportSamples.record(state: state), [.notAttempted: 1976])
            .split(separator: "\n")
        #expect(lines.last.map(String.init) == line)
    }

    @Test("Unsent pushes of a finished run are reported as never sent")
    func unsentPushesOfAFinishedRunAreReportedAsNeverSent() {
        let ended = text(ReportSamples.record(), [.accepted: 500, .notAttempted: 1476])
        #expect(ended.contains("  74.7 %  never sent: the run was ended before their turn\n"))
        #expect(!ended.contains("no outcome yet"))
    }

    @Test("A run without deliveries shows no outcomes") func runWithoutDeliveriesShowsNoOutcomes() {
        let staging = text(
            ReportSamples.record(state: .staging, counts: AudienceCounts(), finished: nil), [:])
        #expect(
            staging.hasPrefix("statement-ready: staging, nothing sent yet\n\n  people      0\n"))
        #expect(!staging.contains("accepted"))
    }

    @Test("A rehearsal is marked as such") func rehearsalIsMarkedAsSuch() {
        let first = text(ReportSamples.record(isRehearsal: true), [.accepted: 1976]).split(
            separator: "\n"
        ).first
        #expect(first == "statement-ready: finished (rehearsal), 1,976 pushes accepted")
    }

    @Test("Colours are used only if requested") func coloursAreUsedOnlyIfRequested() {
        let outcomes: [Outcome: Int] = [.accepted: 1970, .rejected: 6]
        let plain = text(ReportSamples.record(), outcomes)
        let colored = text(ReportSamples.record(), outcomes, style: .colored)
        #expect(!plain.contains("\u{1B}"))
        #expect(colored.contains("\u{1B}[31m  rejected"))
        #expect(colored.replacing(/\u{1B}\[[0-9]+m/, with: "") == plain)
    }

    @Test(
        "A suggested command can be pasted into a shell",
        arguments: [
            ("a.yaml", "a.yaml"), ("", "''"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#),
            ("$(x)", "'$(x)'"), ("größe", "'größe'"),
        ])
    func suggestedCommandCanBePastedIntoAShell(word: String, quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
    }

    @Test("The most frequent reasons are listed, and the others are counted")
    func mostFrequentReasonsAreListedAndTheOthersAreCounted() {
        let alice = Username(checked: "alice")
        let overview = RunOverview(
            run: ReportSamples.record(),
            outcomes: OutcomeCounts([.accepted: 700, .rejected: 1_270, .unknown: 6]),
            reasons: [
                TroubleReason(
                    outcome: .rejected, reason: "HTTP 400: bad body", count: 1_234, example: alice),
                TroubleReason(outcome: .unknown, reason: "", count: 6, example: alice),
            ], report: "r.csv")
        let text = RunDocument(overview: overview).summary().text()
        #expect(
            text.contains(
                """

                Reasons, most frequent first:
                  1,234  rejected  such as alice  HTTP 400: bad body
                      6  unknown   such as alice  no reason given
                  36 more for other reasons; the report lists them

                  people
                """))
        #expect(
            overview.mainReason
                == "Most frequent reason: HTTP 400: bad body (1,234 rejected).")
        #expect(
            RunOverview(run: ReportSamples.record(), outcomes: OutcomeCounts()).mainReason == nil)
    }

    @Test("The summary shows how many people fetched and read")
    func summaryShowsHowManyPeopleFetchedAndRead() {
        let overview = RunOverview(
            run: ReportSamples.record(), outcomes: OutcomeCounts([.accepted: 1970]),
            reach: Reach(accepted: 985, fetched: 640, read: 0))
        let lines = RunDocument(overview: overview).summary().text().split(separator: "\n")
        #expect(lines.contains("  accepted    for 985 people, 640 fetched (65.0 %), 0 read"))
    }

    @Test("The summary of an alert does not mention fetches")
    func summaryOfAnAlertDoesNotMentionFetches() {
        var record = ReportSamples.record()
        record.kind = .alert
        let overview = RunOverview(
            run: record, outcomes: OutcomeCounts([.accepted: 1970]), reach: Reach(accepted: 985))
        #expect(!RunDocument(overview: overview).summary().text().contains("for 985 people"))
    }

    @Test("The summary says that payloads were revoked") func summarySaysThatPayloadsWereRevoked() {
        var record = ReportSamples.record()
        #expect(!text(record, [.accepted: 1976]).contains("revoked"))
        record.revoked = ReportSamples.start.addingTimeInterval(60)
        let lines = text(record, [.accepted: 1976]).split(separator: "\n")
        #expect(
            lines.contains(
                "  revoked     2026-12-01 09:01:00 UTC; nobody can fetch it any more"))
    }

    @Test("If the people of a run were deleted, its summary offers no report")
    func ifThePeopleOfARunWereDeletedItsSummaryOffersNoReport() {
        var overview = ReportSamples.details().overview
        overview.run.deliveriesDeleted = ReportSamples.start
        overview.outcomes[.skipped] = 1
        overview.outcomes.tooLate = 1
        overview.reasons[0].example = nil
        overview.reasons[0].count = 3
        let text = RunDocument(overview: overview).summary().text()
        #expect(
            text.contains("\n  recipients  deleted on 2026-12-01 09:00:00 UTC by `retention`"))
        #expect(text.contains("\n  2 more for other reasons\n"))
        #expect(!text.contains("such as") && !text.contains("report"))
        #expect(!text.contains("--again"))
    }
}
