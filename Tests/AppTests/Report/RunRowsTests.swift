import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct RunRowsTests {
    private let overview = ReportSamples.details().overview

    private func text(_ format: ReportFormat, _ runs: [RunOverview]) throws -> String {
        var renderer = try #require(
            format.runRenderer(
                began: RunPeriod(since: ReportSamples.start), campaign: "welcome",
                made: ReportSamples.start))
        var bytes = renderer.header()
        for run in runs { try renderer.append(run, to: &bytes) }
        return String(decoding: bytes + renderer.footer(), as: UTF8.self)
    }

    @Test("A CSV row contains all the figures of a run") func csvRowContainsAllTheFiguresOfARun()
        throws
    {
        #expect(
            try text(.csv, [overview]) == """
                run,campaign,occurrence,rehearsal,state,started,finished,revoked,hub,plan,named,recipients,deliveries,requests,\
                accepted,rejected,failed,unknown,skipped,not_attempted,people_accepted,fetched,read,reason
                20261201T090000Z-abcdef,statement-ready,once,false,finished,2026-12-01T09:00:00Z,2026-12-01T09:00:04Z,,\
                local/hub,,1000,988,1976,1980,1970,4,0,1,1,0,985,640,312,

                """)
    }

    @Test("A reason that looks like a formula gets an apostrophe")
    func reasonThatLooksLikeAFormulaGetsAnApostrophe() throws {
        var paused = overview
        paused.run.reason = "=1+1, \"x\""
        let rows = try #require(CSVReader.rows(Array(try text(.csv, [paused]).utf8)))
        #expect(rows.last?.last == "'=1+1, \"x\"")
        #expect(rows.last?.count == rows.first?.count)
    }

    @Test("A JSON line contains the list's object and the numbers of people")
    func jsonLineContainsTheListsObjectAndTheNumbersOfPeople() throws {
        struct Object: Decodable {
            let run, hub: String
            let people: [String: Int]
        }
        let lines = try text(.jsonl, [overview, overview]).split(separator: "\n")
        #expect(lines.count == 2)
        let object = try JSONDecoder().decode(Object.self, from: Data(lines[0].utf8))
        #expect(object.run == ReportSamples.run.text)
        #expect(object.hub == "local/hub")
        #expect(object.people == ["accepted": 985, "fetched": 640, "read": 312])
    }

    @Test("The page has one row per run and no script") func pageHasOneRowPerRunAndNoScript() throws
    {
        var hostile = overview
        hostile.run.hub = HubIdentity(host: "<script>", name: "x")
        let html = try text(.html, [overview, hostile])
        #expect(WrittenReport.matches(Array(html.utf8)))
        #expect(html.contains(">2 runs in total</th>"))
        #expect(html.contains(">All runs of welcome that began since 2026-12-01 09:00:00 UTC.</p>"))
        #expect(html.contains("<td class=\"number\">3,952</td>"))
        #expect(html.ranges(of: "<tr><th scope=\"row\">").count == 2)
        #expect(html.contains("<td class=\"hub\">&lt;script&gt;/x</td>"))
        #expect(!html.contains("<script") && !html.contains("script-src"))
        #expect(html.contains("content=\"default-src 'none'; style-src 'sha256-"))
    }

    @Test("The text format is the same as the list of runs")
    func textFormatIsTheSameAsTheListOfRuns() {
        #expect(
            ReportFormat.text.runRenderer(
                began: RunPeriod(), campaign: nil, made: ReportSamples.start) == nil
        )
    }
}
