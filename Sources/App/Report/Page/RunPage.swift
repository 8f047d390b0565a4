import CampaignCore
import FoundationEssentials

/// A run's report as one self-contained HTML file.
///
/// The rows are JSON after everything readable without a script; the only script shows them by
/// page.
struct RunPage: ReportRenderer {
    /// Marks a file as made by hubsend.
    static let maker = "hubsend report"
    private static let titleMiddle = ": report of run "
    private static let style = HTMLPage.style(PackageResources.report_css)
    private static let script = String(decoding: PackageResources.report_js, as: UTF8.self)
    private static let states: [TextStyle.Emphasis: String] = [.green: " well", .red: " ill"]

    private let details: RunDetails
    private let made: Date
    /// Sentences that end with a command.
    private let steps: [String]
    private let page: HTMLPage

    /// - Parameter digest: base64 SHA-256, by which the page's policy names its style and script.
    init(
        _ details: RunDetails, command: CommandForm, made: Date, digest: (String) -> String
    ) {
        self.details = details
        self.made = made
        let run = details.overview.run
        let text = RunSummaryText(details.overview, style: .plain, command: command)
        steps = [
            details.overview.lateness(command),
            run.state == .finished ? nil : text.advice,
        ].compactMap(\.self)
        page = HTMLPage(
            title: "\(run.campaign)\(Self.titleMiddle)\(run.id)", maker: Self.maker,
            allowing: [
                "script-src 'sha256-\(digest(Self.script))'",
                "style-src 'sha256-\(digest(Self.style))'",
            ], style: Self.style)
    }

    static func isTitle(_ text: Substring) -> Bool {
        text.contains(titleMiddle) && RunID(String(text.suffix(RunID.length))) != nil
    }

    func header() -> [UInt8] {
        let sections = [
            heading, remarks, funnel, outcomes, waves, course, reasons, facts,
            RowTable(details.overview.run).html(),
        ]
        return Array(
            """
            \(page.head)<main>
            \(sections.joined())</main>
            <footer>Made by hubsend at \(UTCTime.readable(made)). Times without a zone are in UTC. This page names people; keep it where only the right people can read it.</footer>

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
            <p class="lead">\(HTMLText.escape(headline.state + headline.rest)).</p></header>

            """
    }

    private var remarks: String {
        let pause = RunHeadline(overview).pause
        let items = ([pause].compactMap(\.self) + steps).map {
            "<li>\(HTMLText.escape($0))</li>"
        }
        guard !items.isEmpty else { return "" }
        // Waiting for the next wave is not a problem.
        let heading =
            overview.run.state == .waiting ? "What comes next" : "To be looked at"
        return "<aside><h2>\(heading)</h2><ul>\(items.joined())</ul></aside>\n"
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
            <section class="funnel" aria-labelledby="funnel"><h2 id="funnel">People, from named to \(steps.last?.name ?? "")</h2>
            <ol>
            \(items.joined())</ol></section>

            """
    }

    private var outcomes: String {
        let total = overview.outcomes.total
        guard total > 0 else { return "" }
        let legend = overview.shownOutcomes.map { outcome in
            let count = overview.outcomes[outcome]
            return """
                <li class="\(outcome.rawValue)"><b>\(Figures.count(count))</b> \(outcome.rawValue), \
                \(HTMLText.escape(Figures.share(count, of: total))): \(overview.meaning(of: outcome))</li>

                """
        }
        return """
            <section aria-labelledby="outcomes"><h2 id="outcomes">Outcomes of \(Figures.count(total, "push", "pushes"))</h2>
            <ul class="legend">
            \(legend.joined())</ul>
            \(PlatformTable(details).html())</section>

            """
    }

    private var waves: String {
        guard !details.waves.isEmpty else { return "" }
        return """
            <section aria-labelledby="waves"><h2 id="waves">Waves, by when people's turn begins</h2>
            \(WaveTable(details).html())</section>

            """
    }

    private var course: String {
        guard let course = details.course else { return "" }
        return """
            <section aria-labelledby="course"><h2 id="course">Over time</h2>
            \(CourseChart(course).html())</section>

            """
    }

    private var reasons: String {
        guard !overview.reasons.isEmpty else { return "" }
        let rows = overview.reasons.map { reason in
            """
            <tr><td class="number">\(Figures.count(reason.count))</td>\
            <td class="word"><span class="mark \(reason.outcome.rawValue)" aria-hidden="true"></span>\(reason.outcome.rawValue)</td>\
            <td class="why" dir="auto">\(HTMLText.escape(RunOverview.words(reason)))</td>\
            <td class="word">\(HTMLText.escape(reason.example?.text ?? ""))</td></tr>

            """
        }
        let all = TroubleReason.outcomes.reduce(0) { $0 + overview.outcomes[$1] }
        let left = all - overview.reasons.reduce(0) { $0 + $1.count }
        let rest =
            left > 0
            ? "<p class=\"note\">\(Figures.count(left)) more for other reasons, which the rows name.</p>\n"
            : ""
        return """
            <section aria-labelledby="reasons"><h2 id="reasons">Reasons, the most frequent first</h2>
            <div class="scroll" role="region" aria-labelledby="reasons" tabindex="0"><table>
            <thead><tr><th scope="col" class="number">pushes</th><th scope="col">outcome</th>\
            <th scope="col">reason</th><th scope="col">such as</th></tr></thead>
            <tbody>
            \(rows.joined())</tbody></table></div>
            \(rest)</section>

            """
    }

    private var facts: String {
        let items = RunFacts(overview).list.map {
            "<div><dt>\($0.label)</dt><dd>\(HTMLText.escape($0.value))</dd></div>\n"
        }
        return """
            <section aria-labelledby="run"><h2 id="run">The run</h2>
            <dl class="facts">
            \(items.joined())</dl></section>

            """
    }
}
