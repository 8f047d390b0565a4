import CampaignCore
import FoundationEssentials

/// Runs as one HTML file that needs nothing but itself, without any script: a table with a row a run.
struct RunListPage: RunRowRenderer {
    private static let style = HTMLPage.style(PackageResources.report_css)
    private static let columns = [
        ("run", false), ("campaign", false), ("occurrence", false), ("state", false),
        ("started", false), ("people", true), ("pushes", true), ("accepted", true),
        ("rejected", true), ("failed", true), ("unknown", true), ("skipped", true),
        ("not attempted", true), ("fetched", true), ("read", true), ("hub", false),
    ]

    private let page: HTMLPage
    private let made: Date

    /// - Parameters:
    ///   - made: the current time.
    ///   - digest: SHA-256 of a text in base64.
    init(made: Date, digest: (String) -> String) {
        self.made = made
        page = HTMLPage(
            title: "Runs", maker: RunPage.maker,
            allowing: ["style-src 'sha256-\(digest(Self.style))'"], style: Self.style)
    }

    func header() -> [UInt8] {
        let heads = Self.columns.map { name, isNumber in
            "<th scope=\"col\"\(isNumber ? " class=\"number\"" : "")>\(name)</th>"
        }
        return Array(
            """
            \(page.head)<main>
            <header><h1 id="runs">Runs</h1></header>
            <section class="rows"><div class="scroll" role="region" aria-labelledby="runs" tabindex="0"><table>
            <thead><tr>\(heads.joined())</tr></thead>
            <tbody>

            """.utf8)
    }

    func append(_ overview: RunOverview, to bytes: inout [UInt8]) {
        let run = overview.run
        let outcomes = Outcome.allCases.map { Figures.count(overview.outcomes[$0]) }
        // An alert is neither fetched nor read.
        let reach = run.kind.isSilent ? overview.reach : nil
        let numbers =
            [Figures.count(run.recipients), Figures.count(run.deliveries)] + outcomes
            + [reach?.fetched, reach?.read].map { $0.map { Figures.count($0) } ?? "" }
        let occurrence = run.isRehearsal ? "rehearsal" : run.occurrence.text
        let words = [run.campaign, occurrence, run.state.rawValue, UTCTime.readable(run.started)]
        let cells =
            words.map { "<td>\(HTMLText.escape($0))</td>" }
            + numbers.map { "<td class=\"number\">\($0)</td>" }
            + ["<td>\(HTMLText.escape(run.hub.description))</td>"]
        let row = "<tr><th scope=\"row\">\(run.id)</th>\(cells.joined())</tr>\n"
        bytes.append(contentsOf: row.utf8)
    }

    func footer() -> [UInt8] {
        Array(
            """
            </tbody></table></div></section></main>
            <footer>Made by hubsend at \(UTCTime.readable(made)).</footer>
            \(HTMLPage.end)
            """.utf8)
    }
}
