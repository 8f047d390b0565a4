import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct RunSummaryJSONTests {
    @Test("The JSON summary has the documented keys") func jsonSummaryHasTheDocumentedKeys() throws
    {
        let outcomes = OutcomeCounts([.accepted: 1970, .rejected: 4, .unknown: 2])
        let line = try RunJSON.summary(
            RunOverview(
                run: ReportSamples.record(), outcomes: outcomes,
                reach: Reach(accepted: 985, fetched: 640, read: 312), report: "reports/r.csv")
        ).line()
        #expect(
            String(decoding: line, as: UTF8.self)
                == #"{"campaign":"statement-ready","deliveries":1976,"#
                + #""finished":"2026-12-01T09:00:04Z","occurrence":"once","#
                + #""outcomes":{"accepted":1970,"failed":0,"not_attempted":0,"rejected":4,"#
                + #""skipped":0,"unknown":2},"people":{"accepted":985,"fetched":640,"read":312},"plan":null,"#
                + #""recipients":988,"report":"reports/r.csv","#
                + #""requests":1980,"resumes":null,"run":"20261201T090000Z-abcdef","#
                + #""started":"2026-12-01T09:00:00Z","started_by":null,"state":"finished"}"# + "\n")
    }

    @Test("The summary names the run's plan") func summaryNamesTheRunsPlan() throws {
        var run = ReportSamples.record()
        run.plan = PlanID("k3v7qaabcd2x")
        let overview = RunOverview(run: run, outcomes: OutcomeCounts())
        for line in [try RunJSON.summary(overview).line(), try RunJSON.list([overview]).line()] {
            #expect(String(decoding: line, as: UTF8.self).contains(#""plan":"k3v7qaabcd2x""#))
        }
        #expect(
            RunDocument(overview: overview).summary().text().contains("plan        k3v7qaabcd2x\n"))
        let lines = RunListText([overview], style: .plain).text().split(separator: "\n")
        #expect(lines.first?.hasSuffix("  PLAN") == true)
        #expect(lines.last?.hasSuffix("  k3v7qaabcd2x") == true)
    }

    @Test("Missing values are null") func missingValuesAreNull() throws {
        let line = try RunJSON.summary(
            RunOverview(
                run: ReportSamples.record(state: .paused, finished: nil), outcomes: OutcomeCounts())
        ).line()
        let text = String(decoding: line, as: UTF8.self)
        #expect(text.contains(#""finished":null"#))
        #expect(text.contains(#""report":null"#))
        #expect(text.contains(#""people":null"#))
        #expect(text.contains(#""state":"paused""#))
    }

    @Test("The summary in every format shows when a wait ends")
    func summaryInEveryFormatShowsWhenAWaitEnds() throws {
        var run = ReportSamples.record(state: .waiting, finished: nil)
        run.resumes = ReportSamples.start.addingTimeInterval(3_600)
        let overview = RunOverview(
            run: run, outcomes: OutcomeCounts([.accepted: 976, .notAttempted: 1000]))
        for line in [try RunJSON.summary(overview).line(), try RunJSON.list([overview]).line()] {
            let text = String(decoding: line, as: UTF8.self)
            #expect(text.contains(#""resumes":"2026-12-01T10:00:00Z""#))
            #expect(text.contains(#""state":"waiting""#))
        }
        #expect(
            RunDocument(overview: overview).summary().text().hasPrefix(
                "statement-ready: waiting until 2026-12-01 10:00:00 UTC, 976 of 1,976 pushes so far\n"
            ))
        #expect(
            RunListText([overview], style: .plain).text()
                .contains("  waiting until 2026-12-01 10:00:00 UTC  "))
        let narrow = RunListText([overview], style: .plain, width: 80).text()
        #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(narrow)")
        #expect(narrow.contains("\n    until 2026-12-01 10:00:00 UTC\n"), "\(narrow)")
    }

    @Test(
        "A report's path fits on one line and can be read back",
        arguments: ["a\nb", "\"quoted\"", "größe 👍", "a/b\\c"])
    func reportsPathFitsOnOneLineAndCanBeReadBack(path: String) throws {
        struct Object: Decodable { let report: String }
        let line = try RunJSON.summary(
            RunOverview(run: ReportSamples.record(), outcomes: OutcomeCounts(), report: path)
        ).line()
        #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
        #expect(try JSONDecoder().decode(Object.self, from: Data(line)).report == path)
    }
}
