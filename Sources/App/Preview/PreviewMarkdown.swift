import CampaignCore

/// Previews as a pull request comment: a few lines each, and the rest folded.
struct PreviewMarkdown {
    /// In bytes; GitHub allows 65,536 characters, which leaves room for additions.
    static let largest = 60_000
    /// The most lines of a reason.
    private static let mostLines = 60

    let entries: [PreviewEntry]
    let showsRequests: Bool

    init(_ entries: [PreviewEntry], showsRequests: Bool) {
        self.entries = entries
        self.showsRequests = showsRequests
    }

    /// Fits a comment: if it is too long, campaigns lose their folded parts, then their rows.
    func text() -> String {
        let ending = PreviewDocument.ending
        let summaries = entries.map { self.lines(of: $0, isWhole: false) }
        // Summaries come before anything folded.
        var reserved = summaries.reduce(0) { $0 + Self.size($1) }
        // Leaves room for the last lines, so that nothing else has to cut the text.
        let largest = Self.largest - Self.size([Self.rest(of: entries.count), "", ending])
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
        if left > 0 { lines += [Self.rest(of: left), ""] }
        return (lines + [ending]).joined(separator: "\n") + "\n"
    }

    private static func rest(of left: Int) -> String {
        let campaigns = Figures.count(left, "more campaign is", "more campaigns are")
        return "\(campaigns) not shown here, since a comment has no room for more."
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
                + (isWhole ? document.rest : [.paragraph("The rest did not fit.")])
        case .faults(let path, let findings):
            blocks = Self.blocks(path, "has faults and sends nothing", isWhole ? findings : nil)
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
