package import CampaignCore

package struct StoreHealth: Hashable, Sendable {
    package var runs = 0
    package var recipients = 0
    /// The number of deliveries with an outcome.
    package var outcomes = 0
    package var registrations = 0
    /// The size of the store's file without the log, or of all its tables on a server.
    package var bytes: Int
    /// Whether the server keeps checksums of its pages; nil if the store is a file.
    package var hasChecksums: Bool?
    package var damage: [StoreDamage] = []

    package init(bytes: Int, hasChecksums: Bool? = nil) {
        self.bytes = bytes
        self.hasChecksums = hasChecksums
    }
}

/// Damage to the stored data; the description contains no value of a row.
package enum StoreDamage: Hashable, Sendable, CustomStringConvertible {
    /// Damaged pages, trees or indexes, as reported by the database.
    case structure(String)
    case reference(from: String, to: String)
    case run(RunID)
    case strangers(RunID, table: String)
    case lostPayloads(RunID)

    /// A clause without a full stop, for a list.
    package var description: String {
        switch self {
        case .structure(let words): words
        case .reference(let table, let parent):
            "rows of \(table) refer to rows of \(parent) that do not exist"
        case .run(let run):
            "the people, payloads or outcomes of run \(run) differ from what was written"
        case .strangers(let run, let table):
            "run \(run) has rows in \(table) for people or platforms it does not have"
        case .lostPayloads(let run): "payloads of run \(run) cannot be found by their ids"
        }
    }
}
