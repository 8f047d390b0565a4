import CampaignCore

/// Writes the rows of one run, page by page, in the given order.
///
/// A renderer does not keep rows, so memory does not grow with the audience.
protocol ReportRenderer: Sendable {
    func header() -> [UInt8]
    /// Appends a page of rows in UTF-8.
    func append(_ rows: [ReportRow], to bytes: inout [UInt8])
    func footer() -> [UInt8]
}

extension ReportRenderer {
    func footer() -> [UInt8] { [] }
}
