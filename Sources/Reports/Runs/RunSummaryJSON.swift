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

extension RunOverview {
    /// Encodes what stands in every object about a run, so that a key means the same everywhere.
    ///
    /// A value that is not there yet is null: a key that is sometimes missing is harder to use.
    fileprivate func encodeShared(into object: inout KeyedEncodingContainer<RunKey>) throws {
        try object.encode(run.id.text, forKey: .run)
        try object.encode(run.campaign, forKey: .campaign)
        try object.encode(run.occurrence.text, forKey: .occurrence)
        try object.encode(run.state, forKey: .state)
        try object.encode(run.recipients, forKey: .recipients)
        try object.encode(run.deliveries, forKey: .deliveries)
        try object.encode(run.requests, forKey: .requests)
        try object.encode(JSONLine.object(outcomes), forKey: .outcomes)
        try object.encode(Timestamp.text(run.started), forKey: .started)
        try object.encode(run.finished.map(Timestamp.text), forKey: .finished)
    }
}

/// The keys of a run in JSON; which of them stand where, the types that print say.
private enum RunKey: String, CodingKey {
    case run, campaign, occurrence, state, recipients, deliveries, requests, outcomes, started
    case finished, report, rehearsal, reason, hub, people, revoked
}

/// JSON for programs: on one line, keys in alphabetical order, so that the same values are the same bytes.
enum JSONLine {
    /// Encodes a value and ends it with a line feed.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        return Array(VisibleText.json(text).utf8) + [UInt8(ascii: "\n")]
    }

    /// Every outcome with its count, zeros included.
    static func object(_ outcomes: OutcomeCounts) -> [String: Int] {
        var object: [String: Int] = [:]
        for outcome in Outcome.allCases { object[outcome.rawValue] = outcomes[outcome] }
        return object
    }

    /// The funnel, in people.
    static func object(_ reach: Reach) -> [String: Int] {
        ["accepted": reach.accepted, "fetched": reach.fetched, "read": reach.read]
    }
}
