import CampaignCore
import FoundationEssentials

enum ReportFormat: String, CaseIterable, Hashable, Sendable {
    /// One row a delivery, for spreadsheets.
    case csv
    /// One exact JSON object a delivery and line.
    case jsonl
    case text
    /// One document with charts and all rows: ``RunPage``.
    case html

    /// The name in the reports folder, such as `<run>-<campaign>.csv`.
    func fileName(run: RunID, campaign: String) -> String {
        "\(run)-\(campaign).\(self == .text ? "txt" : rawValue)"
    }

    /// Writes rows only; nil for ``text`` and ``html``.
    func renderer(run: RunID, campaign: String) -> (any ReportRenderer)? {
        switch self {
        case .csv: CSVRenderer(run: run, campaign: campaign)
        case .jsonl: JSONLinesRenderer(run: run, campaign: campaign)
        case .text, .html: nil
        }
    }

    /// Writes one row a run; nil for ``text``, whose table is ``RunListText``.
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
