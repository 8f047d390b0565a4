import CampaignCore
import Reports
import Storage

/// A run's report, written page by page.
struct ReportFile: ReportOutput {
    /// How many people's rows are read at once.
    private static let page = 5_000

    let store: SQLiteStore
    let record: RunRecord
    /// The flags that a suggested command needs.
    var options: [String] = []

    func render(
        _ format: ReportFormat, style: TextStyle, to sink: ([UInt8]) throws -> Void
    ) async throws {
        try await store.verify(record.id)
        guard let renderer = format.renderer(run: record.id, campaign: record.campaign) else {
            let outcomes = try await store.outcomes(record.id)
            let overview = RunOverview(
                run: record.standing(inStoreAt: store.path), outcomes: outcomes,
                reach: try await store.reach(record.id),
                reasons: outcomes.hasReasons
                    ? try await store.reasons(record.id, limit: RunOverview.mostReasons) : [])
            try sink(Array(RunSummaryText(overview, style: style, options: options).text().utf8))
            return
        }
        try sink(renderer.header())
        var last = 0
        while true {
            let page = try await store.reportPage(record.id, after: last, recipients: Self.page)
            if page.rows.isEmpty { return }
            var bytes: [UInt8] = []
            renderer.append(page.rows, to: &bytes)
            try sink(bytes)
            last = page.last
        }
    }
}
