package import CampaignCore

/// A store whose rows go into another one, and that nobody changes meanwhile.
///
/// Its calls block the thread, and throw ``StoreError``.
package protocol StoreSource: Sendable {
    /// Tells what stands in it from what stood there before it was changed, and from other stores.
    func fingerprint() throws -> String
    /// All runs, the oldest first.
    func runs() throws -> [SourceRun]
    /// The next rows of a table, in the table's order.
    ///
    /// - Parameters:
    ///   - table: which.
    ///   - run: the run's key in this store; nil: the table belongs to no run.
    ///   - last: the last row before; nil: from the beginning.
    /// - Returns: 5,000 at the most, and fewer where they are large; none: there are no more.
    func rows(
        of table: TransferTable, run: Int64?, after last: [TransferValue]?
    ) throws -> [[TransferValue]]
    /// A content that is not secret.
    ///
    /// - Parameter key: as rows of notifications name it.
    func content(_ key: Int64) throws -> [UInt8]
    /// How many rows each table has, in the order of ``TransferTable/all``.
    func counts() throws -> [TransferCount]
    /// What it keeps to recognise the key of its payloads; nil when nothing was ever encrypted there.
    func payloadCheckValue() throws -> [UInt8]?
    /// What recognises the names of who was forgotten there; nil while nobody was.
    func nameHash() throws -> NameHash?
}

/// A run, as far as its way into another store needs it.
package struct SourceRun: Hashable, Sendable {
    /// What names it in the source's tables.
    package let key: Int64
    package let id: RunID
    /// How many recipients are written down.
    package let people: Int
    /// Whether its audience is still being written down.
    package let isStaging: Bool

    package init(key: Int64, id: RunID, people: Int, isStaging: Bool) {
        self.key = key
        self.id = id
        self.people = people
        self.isStaging = isStaging
    }
}

/// How many rows a table has.
package struct TransferCount: Hashable, Sendable {
    package let table: String
    package let rows: Int

    package init(table: String, rows: Int) {
        self.table = table
        self.rows = rows
    }
}

/// How far a store has come into another one.
package struct TransferProgress: Hashable, Sendable {
    /// Runs that are there, whole.
    package var done: Int
    package let runs: Int
    /// Rows that this call has written.
    package var rows = 0

    package init(done: Int, runs: Int) {
        self.done = done
        self.runs = runs
    }
}

/// How a store came into another one.
package enum TransferEnd: Hashable, Sendable {
    /// All of it is there, and both have these rows.
    case done([TransferCount])
    /// An earlier call had ended already; nothing was done.
    case wasDone
}
