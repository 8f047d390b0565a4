import CampaignCore
import FoundationEssentials

/// What `hubsend runs --format json` prints: an array with an object a run, in the order given.
///
/// Each has the keys of ``RunSummaryJSON`` but `report`, and `hub`, `reason` and `rehearsal`.
package struct RunListJSON: Encodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case run, campaign, occurrence, rehearsal, state, reason, hub, recipients, deliveries
        case requests, outcomes, started, finished
    }

    private let runs: [RunOverview]

    package init(_ runs: [RunOverview]) {
        self.runs = runs
    }

    /// The array and a line feed, in UTF-8.
    ///
    /// - Returns: one line; `[]` when there are no runs.
    /// - Throws: what the encoder throws; its values are texts and whole numbers, so nothing is expected.
    package func line() throws -> [UInt8] {
        try JSONLine.encode(self)
    }

    package func encode(to encoder: any Encoder) throws {
        var array = encoder.unkeyedContainer()
        for overview in runs {
            var object = array.nestedContainer(keyedBy: CodingKeys.self)
            let run = overview.run
            try object.encode(run.id.text, forKey: .run)
            try object.encode(run.campaign, forKey: .campaign)
            try object.encode(run.occurrence.text, forKey: .occurrence)
            try object.encode(run.isRehearsal, forKey: .rehearsal)
            try object.encode(run.state, forKey: .state)
            try object.encode(run.reason, forKey: .reason)
            try object.encode(run.hub.description, forKey: .hub)
            try object.encode(run.recipients, forKey: .recipients)
            try object.encode(run.deliveries, forKey: .deliveries)
            try object.encode(run.requests, forKey: .requests)
            try object.encode(JSONLine.object(overview.outcomes), forKey: .outcomes)
            try object.encode(Timestamp.text(run.started), forKey: .started)
            try object.encode(run.finished.map(Timestamp.text), forKey: .finished)
        }
    }
}
