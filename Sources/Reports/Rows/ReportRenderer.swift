package import CampaignCore

/// Writes the rows of one run, page by page, in the order in which they are given.
///
/// It keeps nothing of a page, so memory does not grow with the audience. The file belongs to the caller.
package protocol ReportRenderer: Sendable {
    /// What stands before the first row; may be empty.
    func header() -> [UInt8]
    /// Writes a page of rows.
    ///
    /// - Parameters:
    ///   - rows: deliveries of the run that the renderer was made for.
    ///   - bytes: UTF-8 is appended here; what is there already stays.
    func append(_ rows: [ReportRow], to bytes: inout [UInt8])
    /// What stands behind the last row; may be empty.
    func footer() -> [UInt8]
}

extension ReportRenderer {
    /// Nothing: rows need no end.
    package func footer() -> [UInt8] { [] }
}

/// How a run's report is written (contract, section 6).
package enum ReportFormat: String, CaseIterable, Hashable, Sendable {
    /// A row a delivery, for spreadsheets.
    case csv
    /// A JSON object a delivery and line, exact.
    case jsonl
    /// A summary for people, without rows: ``RunSummaryText``.
    case text
    /// One document with charts and a table of all rows: ``RunPage``.
    case html

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
            case .html: "html"
            }
        return "\(run)-\(campaign).\(suffix)"
    }

    /// What writes the rows of one run and nothing else.
    ///
    /// - Parameters:
    ///   - run: the run that all the rows are of.
    ///   - campaign: its campaign's name.
    /// - Returns: nil for ``text``, which has no rows, and for ``html``, which has more than rows.
    package func renderer(run: RunID, campaign: String) -> (any ReportRenderer)? {
        switch self {
        case .csv: CSVRenderer(run: run, campaign: campaign)
        case .jsonl: JSONLinesRenderer(run: run, campaign: campaign)
        case .text, .html: nil
        }
    }
}

/// What a report says about each delivery, in the order of the columns.
///
/// Scripts rely on the names; columns are only ever added, at the end.
enum ReportColumn: String, CaseIterable, Hashable, Sendable {
    case run
    case campaign
    case recipient
    case platform
    case notification
    case outcome
    case detail
    case hubMessage = "hub_message"
    case attempts
    case recordedAt = "recorded_at"
    /// What the push service made of it, which `report --telemetry` asks the hub.
    case pns
    /// When the recipient first fetched the payload, on whichever device.
    case fetchedAt = "fetched_at"
    /// When the recipient first read it.
    case readAt = "read_at"

    /// How many columns the first version had.
    static let fewest = 13
}

extension ReportRow {
    /// Status and reason, and that the payload was taken back where it was; one line, fit for a report.
    var explanation: String {
        let said = HubText.cleaned(detail)
        guard let revokedAt else { return said }
        let revoked = "payload revoked \(UTCTime.text(revokedAt))"
        return said.isEmpty ? revoked : "\(said); \(revoked)"
    }
}
