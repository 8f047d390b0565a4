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

    @Test func aFinishedRunIsReadInTenSeconds() {
        #expect(
            text(
                ReportSamples.record(), [.accepted: 1970, .rejected: 4, .unknown: 1, .skipped: 1],
                report: ".hubsend/reports/20261201T090000Z-abcdef-statement-ready.csv") == """
                    statement-ready: finished, 1,970 of 1,976 pushes accepted

                      accepted  1,970  99.7 %  the hub took it; no proof of arrival
                      rejected      4   0.2 %  the hub refused it for good
                      unknown       1   0.1 %  may have gone out; the answer was lost
                      skipped       1   0.1 %  left out on purpose

                      people      988 (1,000 named, 12 excluded)
                      deliveries  1,976 on apns, fcm
                      requests    1,980
                      started     2026-12-01 09:00:00 UTC
                      took        4.1s
                      hub         local/hub, a local hub: it reaches no phones
                      run         20261201T090000Z-abcdef
                      report      .hubsend/reports/20261201T090000Z-abcdef-statement-ready.csv

                    To send it again to those only (unknown ones may have got it): hubsend run /campaigns/statement-ready.yaml --again --only rejected,unknown

                    """)
    }

    @Test("Times are also those of the campaign's zone")
    func timesAreThoseOfTheCampaignsZoneToo() {
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

    @Test("On a terminal no line is longer than it is wide, but for commands", arguments: [72, 80])
    func linesFitATerminal(width: Int) {
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

    @Test func peopleWhoseTurnCameTooLateAreToldOfWithWhatCanBeDone() {
        var record = ReportSamples.record(finished: ReportSamples.start.addingTimeInterval(3_600))
        record.delivery.finishWithin = .seconds(3_600)
        var outcomes = OutcomeCounts([.accepted: 1270, .skipped: 706])
        outcomes.tooLate = 701
        let overview = RunOverview(run: record, outcomes: outcomes, report: "r.csv")
        let lines = RunDocument(overview: overview).summary().text().split(separator: "\n")
        #expect(lines.contains("  skipped     706  35.7 %  701 because time was up, 5 on purpose"))
        let sentence = """
            701 of 1,976 deliveries were skipped as too late: `finish_within` was over at 2026-12-01 \
            10:00:00 UTC, before their turn. This run sends nothing to these people any more; its \
            report names them. Allow more time (`delivery.finish_within`) or a higher `delivery.rate`, \
            and reach them: hubsend run \(record.campaignPath) --again --only skipped
            """
        #expect(lines.contains { $0 == sentence })
        var older = overview
        older.later = RunID(checked: "20261202T090000Z-abcdef")
        let lateness = older.lateness(CommandForm())
        #expect(lateness?.hasSuffix("no longer chooses among these people.") == true)
        #expect(lateness?.contains("hubsend run") == false)
        #expect(
            RunDocument(overview: overview).summary().text(.colored).contains("\u{1B}[31m  skipped")
        )
    }

    @Test func aPayloadThatExpiredIsNamedAsTheReason() {
        var outcomes = OutcomeCounts([.accepted: 1975, .skipped: 1])
        outcomes.expired = 1
        let expiry = ReportSamples.record().expires
        let overview = RunOverview(
            run: ReportSamples.record(finished: expiry), outcomes: outcomes, report: "r.csv")
        let text = RunDocument(overview: overview).summary().text()
        #expect(text.contains("their time was up before their turn\n"))
        #expect(
            text.contains(
                "\n1 of 1,976 deliveries was skipped as expired: the payload expired at 2026-"))
        #expect(text.contains("(`payload.expires_after`)"))
    }

    @Test func aDeadlineThatIsYetToComeIsNotSaidToBeOver() {
        // A run in waves ends when no remaining turn comes before its end.
        var outcomes = OutcomeCounts([.accepted: 1974, .skipped: 2])
        (outcomes.tooLate, outcomes.expired) = (1, 1)
        let overview = RunOverview(run: ReportSamples.record(), outcomes: outcomes)
        #expect(
            overview.lateness(CommandForm())?.contains(
                "`finish_within` is over at 2026-12-02 09:00:00") == true)
        #expect(
            overview.lateness(CommandForm())?.contains("the payload expires at 2026-12-08 09:00:00")
                == true)
    }

    @Test func whoIsLeftOutOnPurposeIsNoTrouble() {
        let text = text(ReportSamples.record(), [.accepted: 1975, .skipped: 1], style: .colored)
        #expect(!text.contains("\u{1B}[31m"))
        #expect(!text.contains("were skipped as"))
    }

    @Test func whenAllWasAcceptedTheFirstLineSaysSo() {
        let first = text(ReportSamples.record(), [.accepted: 1976], report: "r.csv")
            .split(separator: "\n").first
        #expect(first == "statement-ready: finished, 1,976 pushes accepted")
    }

    @Test func aPauseSaysWhyAndHowToGoOn() {
        let paused = text(
            ReportSamples.record(
                state: .paused, reason: "The hub at local did not answer\u{7}.", finished: nil),
            [.accepted: 500, .notAttempted: 1476], options: ["--store", "/tmp/my store.sqlite"])
        #expect(
            paused.hasPrefix(
                """
                statement-ready: paused after 500 of 1,976 pushes
                The hub at local did not answer .

                  accepted         500  25.3 %  the hub took it; no proof of arrival
                  not_attempted  1,476  74.7 %  no outcome yet

                """))
        #expect(
            paused.hasSuffix(
                "\nTo continue: hubsend resume 20261201T090000Z-abcdef --store "
                    + "'/tmp/my store.sqlite'\n"))
        #expect(!paused.contains("\n  took"))
    }

    @Test(arguments: [
        (RunState.stopped, "To continue: hubsend resume 20261201T090000Z-abcdef"),
        (.running, "If nothing is sending it any more: hubsend resume 20261201T090000Z-abcdef"),
        (.staging, "If nothing is sending it any more: hubsend resume 20261201T090000Z-abcdef"),
        // Readers of this can read its report.
        (.finished, "  run         20261201T090000Z-abcdef"),
    ])
    func theLastLineIsWhatToTypeNext(state: RunState, line: String) {
        let lines = text(ReportSamples.record(state: state), [.notAttempted: 1976])
            .split(separator: "\n")
        #expect(lines.last.map(String.init) == line)
    }

    @Test func whatAFinishedRunHasNotSentItNeverWill() {
        let ended = text(ReportSamples.record(), [.accepted: 500, .notAttempted: 1476])
        #expect(ended.contains("  74.7 %  never sent: the run was ended before them\n"))
        #expect(!ended.contains("no outcome yet"))
    }

    @Test func aRunWithoutDeliveriesShowsNoOutcomes() {
        let staging = text(
            ReportSamples.record(state: .staging, counts: AudienceCounts(), finished: nil), [:])
        #expect(
            staging.hasPrefix("statement-ready: staging, nothing sent yet\n\n  people      0\n"))
        #expect(!staging.contains("accepted"))
    }

    @Test func aRehearsalSaysThatItIsOne() {
        let first = text(ReportSamples.record(isRehearsal: true), [.accepted: 1976]).split(
            separator: "\n"
        ).first
        #expect(first == "statement-ready: finished (rehearsal), 1,976 pushes accepted")
    }

    @Test func coloursComeOnlyWhereTheyAreAskedFor() {
        let outcomes: [Outcome: Int] = [.accepted: 1970, .rejected: 6]
        let plain = text(ReportSamples.record(), outcomes)
        let colored = text(ReportSamples.record(), outcomes, style: .colored)
        #expect(!plain.contains("\u{1B}"))
        #expect(colored.contains("\u{1B}[31m  rejected"))
        #expect(colored.replacing(/\u{1B}\[[0-9]+m/, with: "") == plain)
    }

    @Test(arguments: [
        ("a.yaml", "a.yaml"), ("", "''"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#),
        ("$(x)", "'$(x)'"), ("größe", "'größe'"),
    ])
    func aCommandCanBePastedIntoAShell(word: String, quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
    }

    @Test func reasonsAreToldTheMostFrequentFirstAndTheRestIsCounted() {
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

                Reasons, the most frequent first:
                  1,234  rejected  such as alice  HTTP 400: bad body
                      6  unknown   such as alice  nothing was said
                  36 more for other reasons, which the report names

                  people
                """))
        #expect(
            overview.mainReason
                == "The most frequent reason: HTTP 400: bad body (1,234 rejected).")
        #expect(
            RunOverview(run: ReportSamples.record(), outcomes: OutcomeCounts()).mainReason == nil)
    }

    @Test func howFarARunCameIsToldInPeople() {
        let overview = RunOverview(
            run: ReportSamples.record(), outcomes: OutcomeCounts([.accepted: 1970]),
            reach: Reach(accepted: 985, fetched: 640, read: 0))
        let lines = RunDocument(overview: overview).summary().text().split(separator: "\n")
        #expect(lines.contains("  accepted    for 985 people, 640 fetched (65.0 %), 0 read"))
    }

    @Test func anAlertIsNotFetchedAndSaysNothingOfIt() {
        var record = ReportSamples.record()
        record.kind = .alert
        let overview = RunOverview(
            run: record, outcomes: OutcomeCounts([.accepted: 1970]), reach: Reach(accepted: 985))
        #expect(!RunDocument(overview: overview).summary().text().contains("for 985 people"))
    }

    @Test func aRunWhosePayloadsWereTakenBackSaysSo() {
        var record = ReportSamples.record()
        #expect(!text(record, [.accepted: 1976]).contains("revoked"))
        record.revoked = ReportSamples.start.addingTimeInterval(60)
        let lines = text(record, [.accepted: 1976]).split(separator: "\n")
        #expect(
            lines.contains(
                "  revoked     2026-12-01 09:01:00 UTC; nobody can fetch it any more"))
    }

    @Test func ofARunWhosePeopleWereDeletedNobodyIsNamedAndNoReportIsOffered() {
        var overview = ReportSamples.details().overview
        overview.run.deliveriesDeleted = ReportSamples.start
        overview.outcomes[.skipped] = 1
        overview.outcomes.tooLate = 1
        overview.reasons[0].example = nil
        overview.reasons[0].count = 3
        let text = RunDocument(overview: overview).summary().text()
        #expect(
            text.contains("\n  who it went to  deleted on 2026-12-01 09:00:00 UTC by `retention`"))
        #expect(text.contains("\n  2 more for other reasons\n"))
        #expect(!text.contains("such as") && !text.contains("report"))
        #expect(!text.contains("--again"))
    }
}
