import CampaignCore
import FoundationEssentials

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
