import CampaignCore
import FoundationEssentials

enum ReportFormat: String, CaseIterable, Hashable, Sendable {
    /// One row per delivery, for spreadsheets.
    case csv
    /// One JSON object per delivery, each on its own line.
    case jsonl
    case text
    /// One page with charts and all rows: ``RunPage``.
    case html

    /// The file name in the reports folder, such as `<run>-<campaign>.csv`.
    func fileName(run: RunID, campaign: String) -> String {
        "\(run)-\(campaign).\(self == .text ? "txt" : rawValue)"
    }

    /// The renderer for rows; nil for ``text`` and ``html``.
    func renderer(run: RunID, campaign: String) -> (any ReportRenderer)? {
        switch self {
        case .csv: CSVRenderer(run: run, campaign: campaign)
        case .jsonl: JSONLinesRenderer(run: run, campaign: campaign)
        case .text, .html: nil
        }
    }

    /// The renderer for lists of runs; nil for ``text``, which ``RunListText`` renders.
    func runRenderer(
        began period: RunPeriod, campaign: String?, made: Date
    ) -> (any RunRowRenderer)? {
        switch self {
        case .csv: RunRowCSV()
        case .jsonl: RunRowLines()
        case .html: RunListPage(began: period, campaign: campaign, made: made)
        case .text: nil
        }
    }

    /// Whether an earlier report has this format.
    func isFormat(of report: WrittenReport) -> Bool {
        switch self {
        case .csv: report.isCSV
        case .jsonl: report.isJSONLines
        case .html: report.isPage
        case .text: report.isTable || report.isSentence || report.isSummary
        }
    }
}
