import CampaignCore
import FoundationEssentials
import Storage

/// A report of the runs that began in a period, with one row per run, newest first.
struct PeriodReport: ReportOutput {
    private static let page = 200

    let period: RunPeriod
    let campaign: String?
    let store: any Store
    let made: Date

    func render(
        _ format: ReportFormat, style: TextStyle, width: Int?, to sink: ([UInt8]) throws -> Void
    ) async throws {
        var renderer = format.runRenderer(began: period, campaign: campaign, made: made)
        var shown: [RunOverview] = []
        if let renderer { try sink(renderer.header()) }
        var last: RunID?
        while true {
            let page = try await store.runs(
                began: period, campaign: campaign, after: last, limit: Self.page)
            for record in page {
                let overview = try await RunOverview(of: record, in: store)
                var bytes: [UInt8] = []
                try renderer?.append(overview, to: &bytes)
                try sink(bytes)
                if renderer == nil { shown.append(overview) }
            }
            guard page.count == Self.page else { break }
            last = page.last?.id
        }
        if let renderer { return try sink(renderer.footer()) }
        guard !shown.isEmpty else { return try sink(Array((RunListText.nothingBegan + "\n").utf8)) }
        let text = RunListText(shown, style: style, width: width).text()
        try sink(Array((text + RunListText.sum(of: shown) + "\n").utf8))
    }
}
