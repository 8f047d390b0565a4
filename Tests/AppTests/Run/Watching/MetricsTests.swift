import CampaignCore
import Foundation
import Logging
import TestSupport
import Testing

@testable import App
@testable import Delivery

@Suite(.bounded) struct MetricsTests {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let start = Date(timeIntervalSince1970: 1_796_112_000)

    private func figures(accepted: Int = 2) -> RunFigures {
        RunFigures(
            RunProgress(
                run: RunID(checked: "20261201T080000Z-abcdef"), deliveries: 3,
                outcomes: OutcomeCounts([.accepted: accepted, .notAttempted: 1]), requests: 4,
                rate: 0, started: Self.start))
    }

    private func content(of folder: TemporaryFolder) throws -> String {
        try String(contentsOfFile: folder.file("hubsend.prom"), encoding: .utf8)
    }

    @Test("Each metric has a help text, a type and the campaign as a label")
    func eachMetricHasAHelpTextATypeAndTheCampaignAsALabel() {
        var text = MetricsText()
        text.set(MetricsText.Entry(figures: figures(), exitCode: 3), of: "spring")
        #expect(
            text.text == """
                # HELP hubsend_run_deliveries Deliveries of the campaign's last run by outcome.
                # TYPE hubsend_run_deliveries gauge
                hubsend_run_deliveries{campaign="spring",outcome="accepted"} 2
                hubsend_run_deliveries{campaign="spring",outcome="rejected"} 0
                hubsend_run_deliveries{campaign="spring",outcome="failed"} 0
                hubsend_run_deliveries{campaign="spring",outcome="unknown"} 0
                hubsend_run_deliveries{campaign="spring",outcome="skipped"} 0
                hubsend_run_deliveries{campaign="spring",outcome="not_attempted"} 1
                # HELP hubsend_run_requests Requests to the hub by the campaign's last run.
                # TYPE hubsend_run_requests gauge
                hubsend_run_requests{campaign="spring"} 4
                # HELP hubsend_run_state The state of the campaign's last run: 1 for the current state, 0 for the others.
                # TYPE hubsend_run_state gauge
                hubsend_run_state{campaign="spring",state="staging"} 0
                hubsend_run_state{campaign="spring",state="running"} 1
                hubsend_run_state{campaign="spring",state="waiting"} 0
                hubsend_run_state{campaign="spring",state="paused"} 0
                hubsend_run_state{campaign="spring",state="stopped"} 0
                hubsend_run_state{campaign="spring",state="finished"} 0
                # HELP hubsend_run_start_time_seconds When the campaign's last run was first started.
                # TYPE hubsend_run_start_time_seconds gauge
                hubsend_run_start_time_seconds{campaign="spring"} 1796112000
                # HELP hubsend_run_exit_code The exit code of the last command for the campaign.
                # TYPE hubsend_run_exit_code gauge
                hubsend_run_exit_code{campaign="spring"} 3

                """)
    }

    @Test("The metrics that the manual's alerts use are written")
    func metricsThatTheManualsAlertsUseAreWritten() throws {
        let page = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../../man/hubsend-cron.7"), encoding: .utf8)
        let named = Set(page.matches(of: /hubsend_run_[a-z_]+/).map { String($0.output) })
        var text = MetricsText()
        text.set(MetricsText.Entry(figures: figures(), exitCode: 3), of: "spring")
        #expect(named.count == 3)
        for name in named { #expect(text.text.contains("# TYPE \(name) gauge\n"), "\(name)") }
        for state in ["staging", "running", "paused"] {
            #expect(page.contains(state) && text.text.contains("state=\"\(state)\"} "))
        }
    }

    @Test("The metrics of other campaigns are kept") func metricsOfOtherCampaignsAreKept() {
        var before = MetricsText()
        before.set(MetricsText.Entry(figures: figures(), exitCode: 0), of: "autumn \"{}\\")
        before.set(MetricsText.Entry(figures: figures(), exitCode: 0), of: "spring")
        var text = MetricsText(before.text)
        #expect(text.text == before.text)
        // A new run has begun, so the metrics have no end time yet.
        text.set(MetricsText.Entry(figures: figures(accepted: 1)), of: "spring")
        #expect(text.text.contains("{campaign=\"spring\",outcome=\"accepted\"} 1\n"))
        #expect(!text.text.contains("hubsend_run_exit_code{campaign=\"spring\"}"))
        #expect(text.text.contains("hubsend_run_exit_code{campaign=\"autumn \\\"{}\\\\\"} 0\n"))
        // If a command fails before its run begins, only the exit code changes.
        text.set(MetricsText.Entry(exitCode: 75), of: "spring")
        #expect(text.text.contains("{campaign=\"spring\",outcome=\"accepted\"} 1\n"))
        #expect(text.text.contains("hubsend_run_exit_code{campaign=\"spring\"} 75\n"))
    }

    @Test("The file is written during and after the run, and everybody can read it")
    func fileIsWrittenDuringAndAfterTheRunAndEverybodyCanReadIt() async throws {
        let folder = try TemporaryFolder()
        let (turns, turn) = AsyncStream.makeStream(of: Void.self)
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let file = MetricsFile(at: folder.file("hubsend.prom"), logger: Self.quiet) {
            ask.yield()
            for await _ in turns { return }
            throw CancellationError()
        }
        file.note(figures(accepted: 1), of: "spring")
        async let writing: Void = file.keepWriting()
        var pauses = asked.makeAsyncIterator()
        _ = await pauses.next()
        #expect(try folder.contents().isEmpty)
        turn.yield()
        _ = await pauses.next()
        #expect(try content(of: folder).contains("outcome=\"accepted\"} 1\n"))
        turn.finish()
        await writing
        file.note(figures(accepted: 2), of: "spring")
        await file.end(code: 0)
        let text = try content(of: folder)
        #expect(text.contains("outcome=\"accepted\"} 2\n"))
        #expect(text.contains("hubsend_run_exit_code{campaign=\"spring\"} 0\n"))
        #expect(try folder.mode("hubsend.prom") == 0o644)
        #expect(try folder.contents() == ["hubsend.prom", "hubsend.prom.lock"])
    }

    @Test(
        "A file with other content is kept, and this is reported once",
        arguments: [
            "precious\n", "# HELP hubsend_run_state Mine.\nnode_load1 0.5\n",
            "# HELP hubsend_ is how our metrics begin\n",
        ])
    func fileWithOtherContentIsKeptAndThisIsReportedOnce(text: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "hubsend.prom")
        let lines = LogLines()
        let file = MetricsFile(at: folder.file("hubsend.prom"), logger: lines.logger)
        file.note(figures(), of: "spring")
        await file.end(code: 0)
        await file.end(code: 0)
        #expect(try content(of: folder) == text)
        #expect(lines.all.count == 1)
        #expect(lines.all.first?.contains("delete this one first") == true)
    }
}
