import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct RunListTests {
    private let runs: [RunOverview] = {
        var second = ReportSamples.record(state: .paused, reason: "No answer.", finished: nil)
        second.id = RunID(checked: "20261130T090000Z-zzzzzz")
        second.campaign = "welcome"
        second.isRehearsal = true
        second.hub = HubIdentity(host: "contoso.servicebus.windows.net", name: "app")
        second.started = ReportSamples.start.addingTimeInterval(-86_400)
        second.counts = AudienceCounts(named: 3, final: 3)
        return [
            RunOverview(run: ReportSamples.record(), outcomes: OutcomeCounts([.accepted: 1976])),
            RunOverview(
                run: second, outcomes: OutcomeCounts([.accepted: 1, .failed: 1, .notAttempted: 4])),
        ]
    }()

    @Test("The table is aligned and keeps the order of the runs")
    func tableIsAlignedAndKeepsTheOrderOfTheRuns() {
        #expect(
            RunListText(runs, style: .plain).text()
                == """
                RUN                      CAMPAIGN         OCCURRENCE  STATE           ACCEPTED  STARTED                  HUB
                20261201T090000Z-abcdef  statement-ready  once        finished  1,976 of 1,976  2026-12-01 09:00:00 UTC  local/hub
                20261130T090000Z-zzzzzz  welcome          rehearsal   paused            1 of 6  2026-11-30 09:00:00 UTC  contoso.servicebus.windows.net/app

                """)
    }

    @Test("A narrow terminal omits start and occurrence, but not hub and rehearsals")
    func narrowTerminalOmitsStartAndOccurrenceButNotHubAndRehearsals() {
        #expect(
            RunListText(runs, style: .plain, width: 120).text()
                == """
                RUN                      CAMPAIGN         OCCURRENCE  STATE           ACCEPTED  STARTED                  HUB
                20261201T090000Z-abcdef  statement-ready  once        finished  1,976 of 1,976  2026-12-01 09:00:00 UTC  local/hub
                20261130T090000Z-zzzzzz  welcome          rehearsal   paused            1 of 6  2026-11-30 09:00:00 UTC  contoso/app

                """)
        #expect(
            RunListText(runs, style: .plain, width: 80).text()
                == """
                RUN                      CAMPAIGN    STATE                    ACCEPTED  HUB
                20261201T090000Z-abcdef  statement…  finished           1,976 of 1,976  local/h…
                20261130T090000Z-zzzzzz  welcome     rehearsal, paused          1 of 6  contoso…

                """)
    }

    @Test("Names that differ only at the end still differ after they are cut")
    func namesThatDifferOnlyAtTheEndStillDifferAfterTheyAreCut() {
        let long = runs.enumerated().map { place, overview in
            var overview = overview
            overview.run.hub = HubIdentity(
                host: "contoso-push-eu.servicebus.windows.net", name: ["live", "test"][place])
            overview.run.campaign = "spring-sale-2026-loyalty-\(["de", "fr"][place])-and-more"
            return overview
        }
        let lines = RunListText(long, style: .plain, width: 80).text().split(separator: "\n")
        #expect(lines[1].hasSuffix("  con…live") && lines[1].contains("…e-and-more  "), "\(lines)")
        #expect(lines[2].hasSuffix("  con…test") && lines[2].contains("…r-and-more  "), "\(lines)")
    }

    @Test("Pushes that an ended run never sent do not count as accepted")
    func pushesThatAnEndedRunNeverSentDoNotCountAsAccepted() {
        let ended = RunOverview(
            run: ReportSamples.record(),
            outcomes: OutcomeCounts([.accepted: 976, .notAttempted: 1000]))
        let text = RunListText([ended], style: .plain).text()
        #expect(text.contains("  finished  976 of 1,976  "), "\(text)")
    }

    @Test("The state of a run includes the number of its workers")
    func stateOfARunIncludesTheNumberOfItsWorkers() throws {
        let run = ReportSamples.record(state: .running, finished: nil)
        func shown(_ workers: [RunWorker]?) throws -> (text: String, json: String) {
            let overview = RunOverview(run: run, outcomes: OutcomeCounts(), workers: workers)
            return (
                RunListText([overview], style: .plain).text(),
                String(decoding: try RunJSON.list([overview]).line(), as: UTF8.self)
            )
        }
        let two = try shown([ReportSamples.worker(on: "web-1"), ReportSamples.worker(on: "web-2")])
        #expect(two.text.contains("  running, 2 workers  "), "\(two.text)")
        #expect(two.json.contains(#""workers":[{"host":"web-1","#), "\(two.json)")
        #expect(
            try shown([ReportSamples.worker(on: "web-1")]).text.contains("  running, 1 worker  "))
        let none = try shown([])
        #expect(none.text.contains("  running  "))
        #expect(none.json.contains(#""workers":[]"#))
        #expect(try !shown(nil).json.contains("workers"))
    }

    @Test("No line is wider than the terminal") func noLineIsWiderThanTheTerminal() {
        var run = ReportSamples.record()
        run.campaign = String(repeating: "long-name-", count: 6)
        run.occurrence = Occurrence(checked: String(repeating: "2026-12-", count: 8))
        let long = [RunOverview(run: run, outcomes: OutcomeCounts([.accepted: 1_234_567]))]
        for width in 76...300 {
            let lines = RunListText(long, style: .plain, width: width).text().split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= width }, "\(width)")
            #expect(lines.allSatisfy { $0.hasPrefix("RUN ") || $0.hasPrefix(run.id.text) })
        }
        let cut = RunListText(long, style: .plain, width: 80).text()
        #expect(cut.contains("  long-name-"))
        #expect(cut.contains("…  "))
        #expect(!RunListText(long, style: .plain).text().contains("…"))
    }

    @Test("The end time of a wait is never cut") func endTimeOfAWaitIsNeverCut() {
        let run = ReportSamples.record(
            state: .waiting, finished: nil, resumes: ReportSamples.start.addingTimeInterval(18_000))
        let waiting = [RunOverview(run: run, outcomes: OutcomeCounts([.accepted: 976]))]
        let whole = RunListText(waiting, style: .plain).text()
        #expect(whole.contains("  waiting until 2026-12-01 14:00:00 UTC  "), "\(whole)")
        for width in [80, 100] {
            let lines = RunListText(waiting, style: .plain, width: width).text().split(
                separator: "\n")
            #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
            #expect(lines[1].contains("  waiting  "), "\(lines)")
            #expect(lines[2] == "    until 2026-12-01 14:00:00 UTC")
        }
    }

    @Test("A repeated run is labelled \"again\", and a revoked run \"revoked\"")
    func repeatedRunIsLabelledAgainAndARevokedRunRevoked() {
        var again = ReportSamples.record()
        again.occurrence = .again(again.id)
        again.revoked = ReportSamples.start
        var rest = ReportSamples.record()
        rest.occurrence = .followUp(rest.id)
        var interrupted = ReportSamples.record(state: .paused, finished: nil)
        interrupted.revoked = ReportSamples.start
        let lines = RunListText(
            [again, interrupted, rest].map { RunOverview(run: $0, outcomes: OutcomeCounts()) },
            style: .plain
        ).text().split(separator: "\n")
        #expect(
            lines[1].hasPrefix("20261201T090000Z-abcdef  statement-ready  again       revoked "))
        #expect(lines[2].contains("  once        paused, revoked  "))
        #expect(lines[3].contains("  follow-up   finished  "))
    }

    @Test("A fallback is listed after its run") func fallbackIsListedAfterItsRun() throws {
        let parent = ReportSamples.record()
        var other = ReportSamples.record()
        other.id = RunID(checked: "20261201T093000Z-bbbbbb")
        var fallback = ReportSamples.record()
        fallback.id = RunID(checked: "20261201T100000Z-cccccc")
        fallback.occurrence = .fallback(of: parent.id, number: 1)
        var lost = fallback
        lost.id = RunID(checked: "20261201T103000Z-dddddd")
        lost.occurrence = .fallback(of: RunID(checked: "20261101T090000Z-zzzzzz"), number: 2)
        // The newest run is first, as in the store.
        let list = [lost, fallback, other, parent].map {
            RunOverview(run: $0, outcomes: OutcomeCounts())
        }
        let lines = RunListText(list, style: .plain).text().split(separator: "\n").dropFirst()
        #expect(
            lines.map { String($0.prefix(23)) }
                == [lost, other, parent, fallback].map(\.id.text))
        #expect(lines.map { $0.contains("  fallback    ") } == [true, false, false, true])
        struct Entry: Decodable {
            let occurrence: String
            let fallbackOf: String?
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let entries = try decoder.decode([Entry].self, from: Data(RunJSON.list(list).line()))
        #expect(entries.map(\.fallbackOf) == ["20261101T090000Z-zzzzzz", parent.id.text, nil, nil])
        #expect(entries[1].occurrence == "fallback-\(parent.id)-1")
    }

    @Test("For an empty list, a sentence is printed") func forAnEmptyListASentenceIsPrinted() {
        #expect(RunListText([], style: .plain).text() == "No runs yet.\n")
    }

    @Test("Colours mark runs that need attention") func coloursMarkRunsThatNeedAttention() {
        let lines = RunListText(runs, style: .colored).text().split(separator: "\n")
        #expect(lines[1].hasPrefix("2026"))
        #expect(lines[2].hasPrefix("\u{1B}[33m2026"))
    }

    @Test("The JSON array has one object per run") func jsonArrayHasOneObjectPerRun() throws {
        struct Entry: Decodable, Equatable {
            let run, campaign, occurrence, state, hub, started: String
            let reason, finished, revoked: String?
            let rehearsal: Bool
            let recipients, deliveries, requests: Int
            let outcomes: [String: Int]
        }
        let line = try RunJSON.list(runs).line()
        #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
        let entries = try JSONDecoder().decode([Entry].self, from: Data(line))
        #expect(entries.map(\.run) == runs.map(\.run.id.text))
        #expect(
            entries[1]
                == Entry(
                    run: "20261130T090000Z-zzzzzz", campaign: "welcome", occurrence: "once",
                    state: "paused", hub: "contoso.servicebus.windows.net/app",
                    started: "2026-11-30T09:00:00Z", reason: "No answer.", finished: nil,
                    revoked: nil,
                    rehearsal: true, recipients: 3, deliveries: 6, requests: 1980,
                    outcomes: [
                        "accepted": 1, "rejected": 0, "failed": 1, "unknown": 0, "skipped": 0,
                        "not_attempted": 4,
                    ]))
    }

    @Test("Without runs, the JSON is an empty array") func withoutRunsTheJSONIsAnEmptyArray() throws
    {
        #expect(try RunJSON.list([]).line() == Array("[]\n".utf8))
    }
}
