package import CampaignCore

/// Writes the rows of one run, page by page, in the order in which they are given.
///
/// It keeps nothing of a page, so memory does not grow with the audience; whoever calls it owns the file.
package protocol ReportRenderer: Sendable {
    /// What stands before the first row; may be empty.
    func header() -> [UInt8]
    /// Writes a page of rows.
    ///
    /// - Parameters:
    ///   - rows: deliveries of the run that the renderer was made for.
    ///   - bytes: UTF-8 is appended here; what is there already stays.
    func append(_ rows: [ReportRow], to bytes: inout [UInt8])
}
