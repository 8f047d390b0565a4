import CampaignCore
import FoundationEssentials

/// The object that `run --json` prints (contract, section 11), on one line; keys stand in alphabetical order.
package struct RunSummaryJSON: Encodable, Sendable {
    private let overview: RunOverview

    package init(_ overview: RunOverview) {
        self.overview = overview
    }

    /// The object and a line feed, in UTF-8.
    ///
    /// - Returns: one line.
    /// - Throws: what the encoder throws; its values are texts and whole numbers, so nothing is expected.
    package func line() throws -> [UInt8] {
        try JSONLine.encode(self)
    }

    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: RunKey.self)
        try overview.encodeShared(into: &object)
        try object.encode(overview.reach.map(JSONLine.object), forKey: .people)
        try object.encode(overview.report, forKey: .report)
    }
}
