import CampaignCore
import Reports
import Storage

/// What one person was sent and fetched, over all runs of a store, newest first.
struct PersonReport: ReportOutput {
    /// More runs than any store has; a run is an hour's work for somebody.
    private static let mostRuns = 1_000_000

    let store: SQLiteStore
    let user: Username

    func render(
        _ format: ReportFormat, style: TextStyle, to sink: ([UInt8]) throws -> Void
    ) async throws {
        var text = PersonText(user, style: style)
        var isFirst = true
        for run in try await store.runs(campaign: nil, limit: Self.mostRuns) {
            let rows = try await store.reportRows(run.id, of: user)
            guard let renderer = format.renderer(run: run.id, campaign: run.campaign) else {
                text.append(rows, of: run)
                continue
            }
            if isFirst { try sink(renderer.header()) }
            isFirst = false
            var bytes: [UInt8] = []
            renderer.append(rows, to: &bytes)
            if !bytes.isEmpty { try sink(bytes) }
        }
        if format == .text { try sink(Array(text.text().utf8)) }
    }
}
