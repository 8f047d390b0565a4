package import CampaignCore

/// What a store holds, and what is wrong with it.
package struct StoreHealth: Hashable, Sendable {
    package var runs = 0
    package var recipients = 0
    /// Deliveries of which something is known.
    package var outcomes = 0
    /// Devices' registrations that belong to somebody.
    package var registrations = 0
    /// The size of its file without its log, or of all its tables on a server.
    package var bytes: Int
    /// Whether the server keeps checksums of its pages, so that damage to its disk is found; nil: the store is a file.
    package var hasChecksums: Bool?
    /// Empty when all is well.
    package var faults: [StoreFault] = []

    package init(bytes: Int, hasChecksums: Bool? = nil) {
        self.bytes = bytes
        self.hasChecksums = hasChecksums
    }
}

/// One thing in a store that is not as hubsend wrote it; shows no value of a row.
package enum StoreFault: Hashable, Sendable, CustomStringConvertible {
    /// Pages, trees or indexes; as a clause, in SQLite's words behind its name.
    case structure(String)
    /// Rows that refer to something that is not there.
    case reference(from: String, to: String)
    /// A run whose rows are not those that were written.
    case run(RunID)
    /// Rows of a run that are about nobody of its recipients, or on none of its platforms; the table.
    case strangers(RunID, table: String)
    /// Payloads of a run that are not found by their ids.
    case lostPayloads(RunID)

    /// A clause that can stand in a list.
    package var description: String {
        switch self {
        case .structure(let words): words
        case .reference(let table, let parent):
            "rows of \(table) belong to a row of \(parent) that is not there"
        case .run(let run):
            "the people, payloads or outcomes of run \(run) are not those that were written"
        case .strangers(let run, let table):
            "run \(run) has rows of \(table) that are of none of its people and platforms"
        case .lostPayloads(let run): "payloads of run \(run) cannot be found by their ids"
        }
    }
}
