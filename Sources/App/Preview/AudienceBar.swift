import CampaignCore

/// Draws an audience as a bar of recipients, excluded people and duplicates.
struct AudienceBar {
    let counts: AudienceCounts
    /// The number of rows that were skipped because of errors.
    var skippedRows = 0

    func html() -> String {
        let parts = [
            ("final", counts.final == 1 ? "recipient" : "recipients", counts.final),
            ("excluded", "excluded", counts.excluded),
            ("duplicate", counts.duplicate == 1 ? "duplicate" : "duplicates", counts.duplicate),
        ]
        let whole = max(counts.named, parts.reduce(0) { $0 + $1.2 })
        let bars = parts.filter { $0.2 > 0 }.map {
            "<i class=\"\($0.0)\" style=\"flex-grow:\($0.2)\"></i>"
        }
        let other = whole - parts.reduce(0) { $0 + $1.2 }
        let rest = other > 0 ? "<i class=\"other\" style=\"flex-grow:\(other)\"></i>" : ""
        let legend = parts.map {
            "<li class=\"\($0.0)\"><b>\(Figures.count($0.2))</b> \($0.1)</li>"
        }
        let skipped =
            skippedRows == 0
            ? ""
            : "<li class=\"skipped\"><b>\(Figures.count(skippedRows))</b> \(skippedRows == 1 ? "row" : "rows") skipped</li>"
        return """
            <div class="stack" role="img" aria-label="\(Figures.count(counts.final)) of \(Figures.count(counts.named)) in the list">\(bars.joined())\(rest)</div>
            <ul class="legend"><li class="named"><b>\(Figures.count(counts.named))</b> in the list</li>\(legend.joined())\(skipped)</ul>

            """
    }
}
