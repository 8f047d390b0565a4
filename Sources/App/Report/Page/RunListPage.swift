import CampaignCore
import FoundationEssentials

/// Runs as one self-contained HTML file without a script.
struct RunListPage: RunRowRenderer {
    static let title = "Runs"
    private static let style = HTMLPage.style(PackageResources.report_css)
    private static let columns = [
        ("campaign", false), ("hub", false), ("state", false), ("started (UTC)", false),
        ("people", true), ("pushes", true), ("accepted", true), ("fetched", true), ("read", true),
        ("rejected", true), ("failed", true), ("unknown", true), ("skipped", true),
        ("not attempted", true),
    ]

    private let page: HTMLPage
    private let period: RunPeriod
    private let campaign: String?
    private let made: Date
    private var sums = [Int](repeating: 0, count: Self.columns.count { $0.1 })
    private var runs = 0

    /// - Parameter digest: base64 SHA-256.
    init(
        began period: RunPeriod, campaign: String?, made: Date, digest: (String) -> String
    ) {
        self.period = period
        self.campaign = campaign
        self.made = made
        page = HTMLPage(
            title: Self.title, maker: RunPage.maker,
            allowing: ["style-src 'sha256-\(digest(Self.style))'"], style: Self.style)
    }

    func header() -> [UInt8] {
        let heads = Self.columns.map { name, isNumber in
            "<th scope=\"col\"\(isNumber ? " class=\"number\"" : "")>\(name)</th>"
        }
        return Array(
            """
            \(page.head)<main class="runs">
            <header><h1 id="runs">Runs</h1>
            <p class="lead">\(lead)</p></header>
            <section class="rows"><div class="scroll" role="region" aria-labelledby="runs" tabindex="0"><table>
            <thead><tr>\(heads.joined())</tr></thead>
            <tbody>

            """.utf8)
    }

    private var lead: String {
        let since = period.since.map { " since \(UTCTime.readable($0))" } ?? ""
        let until = period.until.map { " before \(UTCTime.readable($0))" } ?? ""
        let name = campaign.map { " of \($0)" } ?? ""
        return
            "All\(name) that began\(since)\(since.isEmpty || until.isEmpty ? "" : " and")\(until)."
    }

    mutating func append(_ overview: RunOverview, to bytes: inout [UInt8]) {
        let run = overview.run
        // An alert is neither fetched nor read.
        let reach = run.kind.isSilent ? overview.reach : nil
        let numbers: [Int?] =
            [run.recipients, run.deliveries, overview.outcomes[.accepted], reach?.fetched]
            + [reach?.read]
            + Outcome.allCases.filter { $0 != .accepted }.map { overview.outcomes[$0] }
        for (place, number) in numbers.enumerated() { sums[place] += number ?? 0 }
        runs += 1
        let occurrence = RunListText.occurrence(run)
        let started = UTCTime.readable(run.started).prefix("2026-12-01 09:00".count)
        let row = """
            <tr><th scope="row">\(run.campaign)<br><span class="soft">\(run.id)<br>\(HTMLText.escape(occurrence))</span></th>\
            <td class="hub">\(HTMLText.escape(run.hub.description))</td>\
            <td class="word">\(RunListText.state(of: run))</td>\
            <td class="word">\(started.replacing(" ", with: "<br>"))</td>\(Self.cells(numbers))</tr>

            """
        bytes.append(contentsOf: row.utf8)
    }

    private static func cells(_ numbers: [Int?]) -> String {
        numbers.map { "<td class=\"number\">\($0.map { Figures.count($0) } ?? "")</td>" }.joined()
    }

    func footer() -> [UInt8] {
        let words = Self.columns.count { !$0.1 }
        let sum = """
            <tr><th scope="row" colspan="\(words)">\(Figures.count(runs, "run", "runs")) in all</th>\(Self.cells(sums))</tr>
            """
        return Array(
            """
            </tbody>
            <tfoot>\(runs > 0 ? sum : "")</tfoot></table></div></section></main>
            <footer>Made by hubsend at \(UTCTime.readable(made)). All times are in UTC.</footer>
            \(HTMLPage.end)
            """.utf8)
    }
}
