import CampaignCore
import FoundationEssentials

/// A run's report as one self-contained HTML file.
///
/// Everything but the rows is readable without a script. The rows follow as JSON, and the only
/// script shows them page by page.
struct RunPage: ReportRenderer {
    /// The part of a page's title by which a report of hubsend is recognised.
    static let maker = "hubsend report"
    private static let titleMiddle = ": report of run "
    private static let style = HTMLPage.style(DrawnBar.colours + PackageResources.report_css)
    private static let script = String(decoding: PackageResources.report_js, as: UTF8.self)
    private static let states: [TextStyle.Emphasis: String] = [.green: " well", .red: " ill"]

    private let details: RunDetails
    private let made: Date
    private let command: CommandForm
    private let page: HTMLPage

    init(_ details: RunDetails, command: CommandForm, made: Date) {
        self.details = details
        self.made = made
        self.command = command
        let run = details.overview.run
        page = HTMLPage(
            title: "\(run.campaign)\(Self.titleMiddle)\(run.id)", maker: Self.maker,
            allowing: [
                "script-src \(HTMLPage.digest(of: Self.script))",
                "style-src \(HTMLPage.digest(of: Self.style))",
            ], style: Self.style)
    }

    /// The run that a page's title names; nil if the page is not the report of a run.
    static func run(ofTitle text: Substring) -> RunID? {
        text.contains(titleMiddle) ? RunID(String(text.suffix(RunID.length))) : nil
    }

    func header() -> [UInt8] {
        let document = RunDocument(overview: overview, command: command)
        let blocks =
            [.drawing(heading)] + remarks(document) + [.drawing(funnel)] + outcomes(document)
            + document.waves(details) + course + document.reasons + [
                .section("The run", name: "run", [.facts(RunFacts(overview: overview).list)]),
                .drawing(RowTable(run: overview.run).html()),
            ]
        return Array(
            """
            \(page.head)<main>
            \(DocumentHTML(hasIDs: true).html(of: blocks))</main>
            <footer>Made by hubsend at \(UTCTime.readable(made)). Times without a zone are in UTC. This page contains personal data; store it where only authorised people can read it.</footer>

            """.utf8)
    }

    func append(_ rows: [ReportRow], to bytes: inout [UInt8]) {
        RowScript(details.overview.run).append(rows, to: &bytes)
    }

    func footer() -> [UInt8] {
        Array("<script>\(Self.script)</script>\n\(HTMLPage.end)".utf8)
    }

    // MARK: Parts

    private var overview: RunOverview { details.overview }

    private var heading: String {
        let headline = RunHeadline(overview)
        let state = headline.emphasis.flatMap { Self.states[$0] } ?? ""
        return """
            <header><h1>\(HTMLText.escape(overview.run.campaign)) <span class="kind">\(overview.run.kind.rawValue)</span> \
            <span class="kind\(state)">\(headline.state)</span></h1>
            <p class="lead">\(HTMLText.escape(headline.state + headline.progress)).</p></header>

            """
    }

    private func remarks(_ document: RunDocument) -> [Document.Block] {
        let isFinished = overview.run.state == .finished
        let sentences = [
            RunHeadline(overview).pause, overview.lateness(command),
            isFinished ? nil : document.advice,
        ].compactMap { $0.map { Phrase($0) } }
        // A run that waits for its next wave needs no attention.
        let title = overview.run.state == .waiting ? "Next steps" : "Needs attention"
        return sentences.isEmpty ? [] : [.remarks(title, sentences)]
    }

    private var funnel: String {
        let steps = RunFunnel(details).steps
        let most = steps.map(\.count).max() ?? 0
        let items = steps.map { step in
            """
            <li><span class="step">\(step.name)</span>\(DrawnBar([(.accepted, step.count)], of: most).svg())\
            <b>\(Figures.count(step.count))</b><span class="share">\(HTMLText.escape(step.share))</span>\
            <span class="note">\(step.note)</span></li>

            """
        }
        return """
            <section class="funnel" aria-labelledby="funnel"><h2 id="funnel">People, from listed to \(steps.last?.name ?? "")</h2>
            <ol>
            \(items.joined())</ol></section>

            """
    }

    private func outcomes(_ document: RunDocument) -> [Document.Block] {
        let total = overview.outcomes.total
        guard total > 0 else { return [] }
        let legend = overview.shownOutcomes.map { outcome in
            let count = overview.outcomes[outcome]
            return """
                <li class="\(outcome.rawValue)"><b>\(Figures.count(count))</b> \(outcome.rawValue), \
                \(HTMLText.escape(Figures.share(count, of: total))): \(overview.meaning(of: outcome))</li>

                """
        }
        let bars = details.platforms.map { platform in
            let outcomes = platform.outcomes
            let bar = DrawnBar(Outcome.allCases.map { ($0, outcomes[$0]) }, of: outcomes.total)
            let share = HTMLText.escape(Figures.share(outcomes[.accepted], of: outcomes.total))
            return """
                <li><span>\(platform.platform.rawValue)</span>\(bar.svg())\
                <span class="share">\(share) accepted</span></li>

                """
        }
        let drawing = """
            <ul class="legend">
            \(legend.joined())</ul>
            <ul class="bars" aria-hidden="true">
            \(bars.joined())</ul>

            """
        return [
            .section(
                "Outcomes of \(Figures.count(total, "push", "pushes"))", name: "outcomes",
                [.drawing(drawing)] + document.platforms(details, onPage: true))
        ]
    }

    private var course: [Document.Block] {
        details.course.map {
            [.section("Over time", name: "course", [.drawing(CourseChart(course: $0).html())])]
        } ?? []
    }
}
