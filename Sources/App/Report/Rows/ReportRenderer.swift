import CampaignCore

/// Writes the rows of one run, page by page, in the order given.
///
/// It keeps nothing of a page, so memory does not grow with the audience.
protocol ReportRenderer: Sendable {
    func header() -> [UInt8]
    /// Appends a page of rows in UTF-8.
    func append(_ rows: [ReportRow], to bytes: inout [UInt8])
    func footer() -> [UInt8]
}

extension ReportRenderer {
    func footer() -> [UInt8] { [] }
}

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
        let suffix =
            switch self {
            case .csv: "csv"
            case .jsonl: "jsonl"
            case .text: "txt"
            case .html: "html"
            }
        return "\(run)-\(campaign).\(suffix)"
    }

    /// Writes rows only; nil for ``text`` and ``html``.
    func renderer(run: RunID, campaign: String) -> (any ReportRenderer)? {
        switch self {
        case .csv: CSVRenderer(run: run, campaign: campaign)
        case .jsonl: JSONLinesRenderer(run: run, campaign: campaign)
        case .text, .html: nil
        }
    }
}
