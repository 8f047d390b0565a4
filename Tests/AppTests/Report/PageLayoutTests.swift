import CampaignCore
import FoundationEssentials
import TestBrowser
import TestSupport
import Testing

@testable import App

/// Tests the layout of pages in a browser.
@Suite(
    .apart, .serialized, .browser,
    .enabled(if: InstalledTool.areThere("chromium", "chromedriver")))
struct PageLayoutTests {
    /// JavaScript that finds cells broken within a word, and whether the page scrolls sideways.
    private static let faults = """
        (() => {
            const faults = [];
            const root = document.documentElement;
            if (root.scrollWidth > root.clientWidth) faults.push(`${root.scrollWidth} px wide`);
            for (const cell of document.querySelectorAll("td, th")) {
                const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
                while (texts.nextNode()) {
                    const range = document.createRange();
                    range.selectNodeContents(texts.currentNode);
                    const words = texts.currentNode.data.trim().split(/\\s+/);
                    const isLong = words.some((word) => word.length > 24);
                    if (!isLong && range.getClientRects().length > words.length) {
                        faults.push(`broken: ${texts.currentNode.data}`);
                    }
                }
            }
            return faults;
        })()
        """

    /// JavaScript that counts the tables that are wider than the page in a wide font.
    private static let cutTables = """
        (() => {
            document.styleSheets[0].insertRule('* { font-family: "DejaVu Sans" !important }');
            return [...document.querySelectorAll(".scroll")]
                .filter((table) => table.scrollWidth > table.clientWidth).length;
        })()
        """

    /// The pages of a preview, a run and a period.
    private func pages(in folder: TemporaryFolder) throws -> [String] {
        var details = ReportSamples.details(
            "HTTP 400: the registration is malformed, as the hub says")
        details.waves = ReportSamples.waves
        details.overview.run.hub = HubIdentity(
            host: "contoso-push-production.servicebus.windows.net", name: "customers")
        details.overview.zone = TimeZoneRules(name: "Europe/Berlin", offset: 3_600)
        let run = RunPage(
            details, command: CommandForm(), made: ReportSamples.start)
        var bytes = run.header()
        run.append(ReportSamples.rows(60, seed: 1), to: &bytes)
        bytes += run.footer()
        var list = RunListPage(
            began: RunPeriod(since: ReportSamples.start), campaign: nil, made: ReportSamples.start)
        var period = list.header()
        for _ in 0..<3 { list.append(details.overview, to: &period) }
        period += list.footer()
        var model = try PreviewSamples.rich()
        model.waves = [
            PreviewWave(opens: nil, zones: ["Europe/Berlin"], people: 900),
            PreviewWave(opens: ReportSamples.start, zones: ["America/New_York"], people: 88),
        ]
        let preview = PreviewPage([.campaign(model)], made: ReportSamples.start).html()
        return try [
            ("run", String(decoding: bytes, as: UTF8.self)),
            ("period", String(decoding: period, as: UTF8.self)), ("preview", preview),
        ].map { name, text in try folder.write(text, to: name + ".html") }
    }

    @Test("Pages fit a phone and a desktop without breaking words")
    func pagesFitAPhoneAndADesktopWithoutBreakingWords() async throws {
        let browser = try #require(BrowserTrait.browser)
        let folder = try TemporaryFolder()
        for path in try pages(in: folder) {
            for (width, scheme) in [(390, "light"), (390, "dark"), (1_280, "light")] {
                try await browser.resize(width: width, height: 844)
                try await browser.prefer(scheme: scheme)
                try await browser.open("file://" + path)
                let faults: [String] = try await browser.value(Self.faults)
                #expect(faults == [], "\(path), \(width) px")
            }
            guard path.hasSuffix("period.html") else { continue }
            let cut: Int = try await browser.value(Self.cutTables)
            #expect(cut == 0)
        }
        try await browser.standOnADesk()
    }
}
