import CampaignCore

/// A bar and figures for each platform.
struct PlatformTable {
    private let platforms: [PlatformOutcomes]
    private let overview: RunOverview

    init(_ details: RunDetails) {
        platforms = details.platforms
        overview = details.overview
    }

    func html() -> String {
        """
        <ul class="bars" aria-hidden="true">
        \(platforms.map(bar).joined())</ul>
        <div class="scroll" role="region" aria-label="Outcomes by platform" tabindex="0"><table>
        <thead><tr><th scope="col">platform</th>\(heads)<th scope="col" class="number">pushes</th></tr></thead>
        <tbody>
        \(platforms.map { row($0.platform.rawValue, $0.outcomes) }.joined())\(sum)</tbody></table></div>

        """
    }

    private func bar(_ platform: PlatformOutcomes) -> String {
        let outcomes = platform.outcomes
        let parts = Outcome.allCases.map { ($0, outcomes[$0]) }
        let share = HTMLText.escape(Figures.share(outcomes[.accepted], of: outcomes.total))
        return """
            <li><span>\(platform.platform.rawValue)</span>\(DrawnBar(parts, of: outcomes.total).svg())\
            <span class="share">\(share) accepted</span></li>

            """
    }

    private var heads: String {
        overview.shownOutcomes.map {
            "<th scope=\"col\" class=\"number\">\($0.rawValue)</th>"
        }.joined()
    }

    private func row(_ name: String, _ outcomes: OutcomeCounts) -> String {
        let cells = (overview.shownOutcomes.map { outcomes[$0] } + [outcomes.total]).map {
            "<td class=\"number\">\(Figures.count($0))</td>"
        }
        return "<tr><th scope=\"row\">\(name)</th>\(cells.joined())</tr>\n"
    }

    private var sum: String {
        platforms.count > 1 ? row("all", overview.outcomes) : ""
    }
}
