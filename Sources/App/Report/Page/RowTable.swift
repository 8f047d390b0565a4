import CampaignCore

/// The table that the page's script fills with rows, with search, filters and pages.
struct RowTable {
    let run: RunRecord

    func html() -> String {
        let platforms = run.platforms.enumerated().map { ($0.offset, $0.element.rawValue) }
        let outcomes = Outcome.allCases.enumerated().map { ($0.offset, $0.element.rawValue) }
        let heads = ReportColumn.onPage.map { column, head in
            let kind = column == .attempts ? " class=\"number\"" : ""
            return "<th scope=\"col\" data-column=\"\(column.rawValue)\"\(kind)>\(head)</th>"
        }
        return """
            <section class="rows" aria-labelledby="rows"><h2 id="rows">All pushes</h2>
            <noscript><p class="note">This table needs JavaScript, which is off in this browser. \
            <code>hubsend report \(HTMLText.escape(run.id.text))</code> writes the rows as CSV.</p></noscript>
            <div id="controls" hidden>
            <div class="filters" role="search" aria-labelledby="rows">
            <label class="search">Search people, details and ids<input id="search" type="search" autocomplete="off" autocapitalize="none" spellcheck="false"></label>
            \(select("platform", "Platform", platforms))\(select("outcome", "Outcome", outcomes))\(people)</div>
            <div class="pages"><p id="shown" role="status"></p>
            <button id="previous" type="button">Previous</button>
            <label>Page <input id="number" type="number" min="1" value="1"><span id="of"></span></label>
            <button id="next" type="button">Next</button></div>
            <div class="scroll" role="region" aria-labelledby="rows" tabindex="0"><table>
            <thead><tr>\(heads.joined())</tr></thead>
            <tbody id="body"></tbody></table></div></div></section>

            """
    }

    private func select(_ id: String, _ label: String, _ choices: [(Int, String)]) -> String {
        let options = choices.map { "<option value=\"\($0.0)\">\($0.1)</option>" }
        return """
            <label>\(label)<select id="\(id)"><option value="">all</option>\(options.joined())</select></label>

            """
    }

    private var people: String {
        guard run.kind.isSilent else { return "" }
        let choices = [
            ("fetched", "fetched"), ("not-fetched", "not fetched"), ("read", "read"),
            ("not-read", "not read"),
        ].map { "<option value=\"\($0.0)\">\($0.1)</option>" }
        return """
            <label>People who<select id="people"><option value="">all</option>\(choices.joined())</select></label>

            """
    }
}
