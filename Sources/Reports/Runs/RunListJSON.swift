import CampaignCore
import FoundationEssentials

/// What `hubsend runs --format json` prints: an array with an object a run, in the order given.
///
/// Each has the keys of ``RunSummaryJSON`` but `report` and `people`, and `hub`, `reason`, `rehearsal` and `revoked`.
package struct RunListJSON: Encodable, Sendable {
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
            var object = array.nestedContainer(keyedBy: RunKey.self)
            try overview.encodeShared(into: &object)
            try object.encode(overview.run.isRehearsal, forKey: .rehearsal)
            try object.encode(overview.run.reason, forKey: .reason)
            try object.encode(overview.run.revoked.map(Timestamp.text), forKey: .revoked)
            try object.encode(overview.run.hub.description, forKey: .hub)
        }
    }
}
