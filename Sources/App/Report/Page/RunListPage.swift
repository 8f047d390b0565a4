import CampaignCore
import FoundationEssentials

/// Writes runs as one self-contained HTML file without a script.
struct RunListPage: RunRowRenderer {
    static let title = "Runs"
    private static let style = HTMLPage.style(DrawnBar.colours + PackageResources.report_css)
    private static let table: Document.Table = {
        let numbers =
            ["people", "pushes", "accepted", "fetched", "read"]
            + Outcome.allCases.dropFirst().map { $0.rawValue.replacing("_", with: " ") }
        return Document.Table(
            columns: [
                .init(head: "campaign"), .init(head: "hub", kind: .hub),
                .init(head: "state", kind: .word), .init(head: "started (UTC)", kind: .word),
            ] + numbers.map { .init(head: $0, kind: .number) })
    }()

    private let page: HTMLPage
    private let period: RunPeriod
    private let campaign: String?
    private let made: Date
    private var sums = [Int](repeating: 0, count: Self.table.columns.count { $0.kind == .number })
    private var runs = 0

    init(began period: RunPeriod, campaign: String?, made: Date) {
        self.period = period
        self.campaign = campaign
        self.made = made
        page = HTMLPage(
            title: Self.title, maker: RunPage.maker,
            allowing: ["style-src \(HTMLPage.digest(of: Self.style))"], style: Self.style)
    }

    func header() -> [UInt8] {
        Array(
            """
            \(page.head)<main class="runs">
            <header><h1 id="runs">Runs</h1>
            <p class="lead">\(lead)</p></header>
            <section class="rows">\(DocumentHTML.beginning(Self.table, of: "runs"))
            """.utf8)
    }

    private var lead: String {
        let since = period.since.map { " since \(UTCTime.readable($0))" } ?? ""
        let until = period.until.map { " before \(UTCTime.readable($0))" } ?? ""
        let name = campaign.map { " of \($0)" } ?? ""
        return
            "All runs\(name) that began\(since)\(since.isEmpty || until.isEmpty ? "" : " and")\(until)."
    }

    mutating func append(_ overview: RunOverview, to bytes: inout [UInt8]) {
        let run = overview.run
        // An alert has nothing to fetch, and apps do not report that it was read.
        let reach = run.kind.isSilent ? overview.reach : nil
        let numbers: [Int?] =
            [run.recipients, run.deliveries, overview.outcomes[.accepted], reach?.fetched]
            + [reach?.read]
            + Outcome.allCases.dropFirst().map { overview.outcomes[$0] }
        for (place, number) in numbers.enumerated() { sums[place] += number ?? 0 }
        runs += 1
        let started = String(UTCTime.readable(run.started).prefix("2026-12-01 09:00".count))
        let occurrence = HTMLText.escape(RunListText.occurrence(run))
        let row = Document.Table.Row(
            cells: [
                "\(run.campaign)\(markup: "<br><span class=\"soft\">\(run.id)<br>\(occurrence)</span>")",
                Phrase(run.hub.description), Phrase(RunListText.state(of: run)),
                "\(markup: started.replacing(" ", with: "<br>"))",
            ] + Self.cells(numbers))
        bytes.append(contentsOf: DocumentHTML.row(row, of: Self.table).utf8)
    }

    private static func cells(_ numbers: [Int?]) -> [Phrase] {
        numbers.map { Phrase($0.map { Figures.count($0) } ?? "") }
    }

    func footer() -> [UInt8] {
        let words = Self.table.columns.count - sums.count
        let cells = sums.map { "<td class=\"number\">\(Figures.count($0))</td>" }
        let sum = """
            <tr><th scope="row" colspan="\(words)">\(Figures.count(runs, "run", "runs")) in total</th>\(cells.joined())</tr>
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
