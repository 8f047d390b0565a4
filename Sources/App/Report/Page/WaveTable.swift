import CampaignCore

/// A bar and figures for each wave.
struct WaveTable {
    private let waves: [WaveStanding]
    private let overview: RunOverview

    init(_ details: RunDetails) {
        waves = details.waves
        overview = details.overview
    }

    func html() -> String {
        """
        <div class="scroll" role="region" aria-labelledby="waves" tabindex="0"><table>
        <thead><tr><th scope="col">begins</th><th scope="col">time zones</th><th scope="col" class="number">people</th>\
        <th scope="col" aria-label="share of each outcome"></th>\(heads)</tr></thead>
        <tbody>
        \(waves.map(row).joined())</tbody></table></div>

        """
    }

    private var heads: String {
        overview.shownOutcomes.map {
            "<th scope=\"col\" class=\"number\">\($0.rawValue)</th>"
        }.joined()
    }

    private func row(_ standing: WaveStanding) -> String {
        let line = WaveLine(standing, in: overview.zone)
        let outcomes = standing.outcomes
        let bar = DrawnBar(Outcome.allCases.map { ($0, outcomes[$0]) }, of: outcomes.total).svg()
        let cells = overview.shownOutcomes.map {
            "<td class=\"number\">\(Figures.count(outcomes[$0]))</td>"
        }
        return """
            <tr><th scope="row" class="word">\(HTMLText.escape(line.opens))</th>\
            <td class="zones">\(HTMLText.escape(line.zones))</td><td class="number">\(line.people)</td>\
            <td class="drawn">\(bar)</td>\(cells.joined())</tr>

            """
    }
}
