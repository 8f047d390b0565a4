import CampaignCore
import FoundationEssentials

/// The object that `run --json` prints (contract, section 11), on one line; keys stand in alphabetical order.
package struct RunSummaryJSON: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case run, campaign, occurrence, state, recipients, deliveries, requests, outcomes, started
        case finished, report
    }

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
        var object = encoder.container(keyedBy: CodingKeys.self)
        let run = overview.run
        try object.encode(run.id.text, forKey: .run)
        try object.encode(run.campaign, forKey: .campaign)
        try object.encode(run.occurrence.text, forKey: .occurrence)
        try object.encode(run.state, forKey: .state)
        try object.encode(run.recipients, forKey: .recipients)
        try object.encode(run.deliveries, forKey: .deliveries)
        try object.encode(run.requests, forKey: .requests)
        try object.encode(JSONLine.object(overview.outcomes), forKey: .outcomes)
        try object.encode(Timestamp.text(run.started), forKey: .started)
        // Not `encodeIfPresent`: a key that is sometimes missing is harder to use than one that is null.
        try object.encode(run.finished.map(Timestamp.text), forKey: .finished)
        try object.encode(overview.report, forKey: .report)
    }
}
