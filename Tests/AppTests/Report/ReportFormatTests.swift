import CampaignCore
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct ReportFormatTests {
    @Test(
        "A report is named after its run",
        arguments: [
            (ReportFormat.csv, "20261201T090000Z-abcdef-welcome.csv"),
            (.jsonl, "20261201T090000Z-abcdef-welcome.jsonl"),
            (.text, "20261201T090000Z-abcdef-welcome.txt"),
            (.html, "20261201T090000Z-abcdef-welcome.html"),
        ])
    func reportIsNamedAfterItsRun(format: ReportFormat, name: String) {
        #expect(format.fileName(run: ReportSamples.run, campaign: "welcome") == name)
    }

    @Test("Only formats with one row per delivery have a renderer")
    func onlyFormatsWithOneRowPerDeliveryHaveARenderer() throws {
        let csv = try #require(
            ReportFormat.csv.renderer(run: ReportSamples.run, campaign: "welcome"))
        let jsonl = try #require(
            ReportFormat.jsonl.renderer(run: ReportSamples.run, campaign: "welcome"))
        #expect(!csv.header().isEmpty)
        #expect(jsonl.header().isEmpty)
        #expect(csv.footer().isEmpty && jsonl.footer().isEmpty)
        for format in [ReportFormat.text, .html] {
            #expect(format.renderer(run: ReportSamples.run, campaign: "welcome") == nil)
        }
    }
}
