import CampaignCore
import Crypto
import Foundation
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import App

/// Tests reports as pages and tables, and the files that they may replace.
@Suite(.bounded) struct ReportPageTests {
    private static let start = Date(timeIntervalSince1970: 1_796_112_000)

    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore.open(at: folder.file("store.sqlite"))
    }

    /// Stores a finished run; all pushes but the first person's were accepted.
    @discardableResult
    private func send(
        to people: [String], suffix: String = "abcdef", detail: String = "HTTP 400: bad",
        begun: Date = start
    ) async throws -> RunRecord {
        let run = RunRecord.sample(suffix, as: Occurrence(checked: suffix), started: begun)
        try await store.stage(people, of: run)
        try await store.record(
            people.indices.map { place in
                DeliveryRecord(
                    number: place + 1, platform: .apns,
                    state: .ended(place == 0 ? .rejected : .accepted), attempts: 1,
                    isUncertain: false, detail: place == 0 ? detail : "", hubMessage: "m-\(place)",
                    recordedAt: begun + Double(place))
            }, requests: people.count, of: run.id)
        try await store.setState(.finished, reason: nil, of: run.id, at: begun + 60)
        return try #require(try await store.run(run.id))
    }

    private func text(_ report: some ReportOutput, _ format: ReportFormat) async throws -> String {
        var bytes: [UInt8] = []
        try await report.render(format, style: .plain, width: nil) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("The page of a run shows its figures and rows") func pageOfARunShowsItsFiguresAndRows()
        async throws
    {
        let run = try await send(to: ["alice", "bob", "carol"], detail: "</script><b>")
        let html = try await text(
            ReportFile(store: store, record: run, made: Self.start), .html)
        #expect(html.contains("finished, 2 of 3 pushes accepted."))
        #expect(html.contains("&lt;/script&gt;&lt;b&gt;"))
        #expect(
            html.contains(#"["alice",0,1,"\u003C/script>\u003Cb>",1,1796112000,null,null,"m-0","#))
        #expect(html.contains(#"["bob",0,0,"",1,1796112001,null,null,"m-1",0]"#))
        #expect(html.contains(#"<desc id="sends-desc">2 in total;"#))
        #expect(html.contains("<span class=\"step\">sent</span>"))
        #expect(html.hasSuffix("</html>\n"))
    }

    @Test("The content policy allows only the page's script and style")
    func contentPolicyAllowsOnlyThePagesScriptAndStyle() async throws {
        let run = try await send(to: ["alice"])
        let html = try await text(ReportFile(store: store, record: run, made: Self.start), .html)
        for name in ["script", "style"] {
            let start = try #require(html.range(of: "<\(name)>"))
            let end = try #require(
                html.range(of: "</\(name)>", range: start.upperBound..<html.endIndex))
            let digest = SHA256.hash(data: Data(html[start.upperBound..<end.lowerBound].utf8))
            #expect(
                html.contains("\(name)-src 'sha256-\(Data(digest).base64EncodedString())';"))
        }
    }

    @Test("A report on a period has one row per run") func reportOnAPeriodHasOneRowPerRun()
        async throws
    {
        try await send(to: ["alice", "bob"], suffix: "aaaaaa")
        try await send(to: ["alice"], suffix: "bbbbbb", begun: Self.start + 86_400)
        func report(since: Date? = nil, until: Date? = nil) -> PeriodReport {
            PeriodReport(
                period: RunPeriod(since: since, until: until), campaign: nil, store: store,
                made: Self.start)
        }
        let csv = try await text(report(), .csv).split(separator: "\n")
        #expect(csv.count == 3)
        #expect(csv[1].hasPrefix("20261201T080000Z-bbbbbb,spring,bbbbbb,false,finished,"))
        #expect(csv[2].hasSuffix(",local/hub,,2,2,2,2,1,1,0,0,0,0,1,0,0,"))
        let later = try await text(report(since: Self.start + 1), .jsonl)
        #expect(later.split(separator: "\n").count == 1)
        #expect(later.contains(#""run":"20261201T080000Z-bbbbbb""#))
        let first = try await text(report(until: Self.start + 1), .text)
        #expect(first.hasPrefix("RUN  ") && first.contains("-aaaaaa"))
        #expect(!first.contains("-bbbbbb"))
        #expect(
            try await text(report(since: Self.start + 90_000), .text)
                == "No run began in that time.\n")
        #expect(try await text(report(), .html).contains("20261201T080000Z-aaaaaa"))
    }

    @Test("A report replaces an earlier one of any format", arguments: ReportFormat.allCases)
    func reportReplacesAnEarlierOneOfAnyFormat(format: ReportFormat) async throws {
        let run = try await send(to: ["alice"])
        let settings = try EffectiveSettings.load(in: folder)
        let period = PeriodReport(
            period: RunPeriod(), campaign: nil, store: store, made: Self.start)
        let nothing = PeriodReport(
            period: RunPeriod(since: Self.start + 90_000), campaign: nil, store: store,
            made: Self.start)
        let file = ReportFile(store: store, record: run, made: Self.start)
        for (place, bytes) in [
            try await text(file, format), try await text(period, format),
            try await text(nothing, format),
        ].enumerated() {
            let path = try folder.write(bytes, to: "r\(place)")
            #expect(throws: Never.self) { _ = try ReportTarget(path, settings: settings) }
        }
    }

    @Test("A report with added notes is not replaced", arguments: ReportFormat.allCases)
    func reportWithAddedNotesIsNotReplaced(format: ReportFormat) async throws {
        let run = try await send(to: ["alice", "bob"])
        let file = ReportFile(store: store, record: run, made: Self.start)
        let period = PeriodReport(
            period: RunPeriod(), campaign: nil, store: store, made: Self.start)
        for report in [try await text(file, format), try await text(period, format)] {
            #expect(WrittenReport.matches(Array(report.utf8)))
            #expect(!WrittenReport.matches(Array(("Notes\n" + report).utf8)))
            guard format != .html else { continue }
            #expect(!WrittenReport.matches(Array((report + "Call bob.\n").utf8)))
            #expect(!WrittenReport.matches(Array((report + "Call bob.").utf8)))
        }
    }

    @Test("A person's report is recognised, even if it lists nothing")
    func personsReportIsRecognisedEvenIfItListsNothing() async throws {
        try await send(to: ["alice"])
        for name in ["alice", "bob"] {
            let report = PersonReport(store: store, user: Username(checked: name))
            for format in [ReportFormat.text, .csv, .jsonl] {
                #expect(WrittenReport.matches(Array(try await text(report, format).utf8)))
            }
        }
    }

    @Test(
        "A file that is not a report is not replaced",
        arguments: [
            "<!DOCTYPE html>\n<html><body>Hello", #"{"campaign":"spring","kind":"alert"}"#,
            "RUNS\n",
            #"{"campaign":"deliveries","delivery":{}}"#, "campaign: running-shoes\nkind: alert\n",
            "spring: finished, all is well\n", "run,campaign,recipient,platform\n",
            "No run began\n",
        ])
    func fileThatIsNotAReportIsNotReplaced(text: String) throws {
        let settings = try EffectiveSettings.load(in: folder)
        let path = try folder.write(text, to: "other")
        #expect(throws: Refused.self) { _ = try ReportTarget(path, settings: settings) }
    }

    @Test(
        "Reports that earlier versions wrote are recognised by their sentences",
        arguments: [
            "No run began within that time.\n", "No run of this store was for alice.\n",
            """
            No run of this store was for alice.
            2 runs left out: whom they went to was deleted, as the config's `retention` says.

            """,
        ])
    func reportsThatEarlierVersionsWroteAreRecognisedByTheirSentences(text: String) {
        #expect(WrittenReport.matches(Array(text.utf8)))
        #expect(!WrittenReport.matches(Array((text + "Call bob.\n").utf8)))
    }

    @Test("A full disk is reported with a remedy", arguments: ReportFormat.allCases)
    func fullDiskIsReportedWithARemedy(format: ReportFormat) async throws {
        let run = try await send(to: ["alice"])
        let settings = try EffectiveSettings.load(in: folder)
        let report = ReportFile(store: store, record: run, made: Self.start)
        let thrown = await #expect(throws: Refused.self) {
            try await report.write(format, to: "/dev/full", settings, isQuiet: true)
        }
        #expect(
            thrown?.description
                == "The report cannot be written: no space left on device. Free some space and try again."
        )
    }
}
