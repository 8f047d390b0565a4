package import CampaignCore

/// How a run's report is written (contract, section 6).
package enum ReportFormat: String, CaseIterable, Hashable, Sendable {
    /// A row a delivery, for spreadsheets.
    case csv
    /// A JSON object a delivery and line, exact.
    case jsonl
    /// A summary for people, without rows: ``RunSummaryText``.
    case text

    /// The report's place within the reports folder: `<run>-<campaign>.csv`.
    ///
    /// - Parameters:
    ///   - run: the run.
    ///   - campaign: its campaign's name.
    /// - Returns: a file name without folders.
    package func fileName(run: RunID, campaign: String) -> String {
        let suffix =
            switch self {
            case .csv: "csv"
            case .jsonl: "jsonl"
            case .text: "txt"
            }
        return "\(run)-\(campaign).\(suffix)"
    }

    /// What writes the rows of one run.
    ///
    /// - Parameters:
    ///   - run: the run that all the rows are of.
    ///   - campaign: its campaign's name.
    /// - Returns: nil for ``text``, which has no rows.
    package func renderer(run: RunID, campaign: String) -> (any ReportRenderer)? {
        switch self {
        case .csv: CSVRenderer(run: run, campaign: campaign)
        case .jsonl: JSONLinesRenderer(run: run, campaign: campaign)
        case .text: nil
        }
    }
}
