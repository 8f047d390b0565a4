import CampaignCore

/// Writes previews as a pull request comment: a few lines per campaign, with the details folded.
struct PreviewMarkdown {
    /// The size limit in bytes, which leaves room for additions because GitHub allows 65,536
    /// characters.
    static let largest = 60_000
    /// The maximum number of lines of a reason.
    private static let mostLines = 60

    let entries: [PreviewEntry]
    let showsRequests: Bool

    init(_ entries: [PreviewEntry], showsRequests: Bool) {
        self.entries = entries
        self.showsRequests = showsRequests
    }

    /// Shortens the comment to its limit by omitting folded parts first, then whole campaigns.
    func text() -> String {
        let ending = PreviewDocument.ending
        let summaries = entries.map { self.lines(of: $0, isWhole: false) }
        // The summaries of all campaigns have priority over folded parts.
        var reserved = summaries.reduce(0) { $0 + Self.size($1) }
        // Reserves room for the last lines, so that the comment never has to be cut.
        let largest = Self.largest - Self.size([Self.omission(of: entries.count), "", ending])
        var lines: [String] = []
        var size = 0
        var left = 0
        for (entry, summary) in zip(entries, summaries) {
            reserved -= Self.size(summary)
            guard left == 0, size + Self.size(summary) <= largest else {
                left += 1
                continue
            }
            let room = largest - size - reserved
            let whole = room > 0 ? self.lines(of: entry, isWhole: true) : summary
            let form = Self.size(whole) <= room ? whole : summary
            lines += form
            size += Self.size(form)
        }
        if left > 0 { lines += [Self.omission(of: left), ""] }
        return (lines + [ending]).joined(separator: "\n") + "\n"
    }

    private static func omission(of left: Int) -> String {
        let campaigns = Figures.count(left, "more campaign is", "more campaigns are")
        return "\(campaigns) not shown because the comment would be too long."
    }

    private static func size(_ lines: [String]) -> Int {
        lines.reduce(0) { $0 + $1.utf8.count + 1 }
    }

    private func lines(of entry: PreviewEntry, isWhole: Bool) -> [String] {
        let blocks: [Document.Block]
        switch entry {
        case .campaign(let model):
            let document = PreviewDocument(model: model, showsRequests: showsRequests)
            blocks =
                document.summary
                + (isWhole ? document.folded : [.paragraph("The details did not fit.")])
        case .invalid(let path, let findings):
            blocks = Self.blocks(path, "has errors and will not be sent", isWhole ? findings : nil)
        case .refused(let path, let why):
            blocks = Self.blocks(path, "cannot be previewed here", isWhole ? why : nil)
        }
        return DocumentMarkdown().lines(of: blocks) + [""]
    }

    private static func blocks(
        _ path: String, _ state: String, _ reason: String?
    ) -> [Document.Block] {
        [.title("\(given: path) \(state)")]
            + (reason.map { [.code(of: $0, most: mostLines)] } ?? [])
    }
}
