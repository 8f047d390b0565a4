package import CampaignCore

/// A store whose rows are copied into another one, while nobody changes it; calls block the thread.
package protocol StoreSource: Sendable {
    /// Identifies this store in its current state.
    func fingerprint() throws -> String
    /// Oldest first.
    func runs() throws -> [SourceRun]
    /// The next rows of a table, in its order: at most 5,000, fewer if they are large, none at the
    /// end.
    ///
    /// A nil run: the table belongs to no run.
    func rows(
        of table: TransferTable, run: Int64?, after last: [TransferValue]?
    ) throws -> [[TransferValue]]
    /// Content that is not secret.
    func content(_ key: Int64) throws -> [UInt8]
    /// In the order of ``TransferTable/all``.
    func counts() throws -> [TransferCount]
    /// The check values of its payload keys; nil when nothing was ever encrypted there.
    func payloadCheckValue() throws -> [UInt8]?
    /// The hash for names that were forgotten there; nil while nobody was.
    func nameHash() throws -> NameHash?
}

/// A run, as far as the copy needs it.
package struct SourceRun: Hashable, Sendable {
    /// Its name in the source's tables.
    package let key: Int64
    package let id: RunID
    /// How many recipients are staged.
    package let people: Int
    package let isStaging: Bool

    package init(key: Int64, id: RunID, people: Int, isStaging: Bool) {
        self.key = key
        self.id = id
        self.people = people
        self.isStaging = isStaging
    }
}

package struct TransferCount: Hashable, Sendable {
    package let table: String
    package let rows: Int

    package init(table: String, rows: Int) {
        self.table = table
        self.rows = rows
    }
}

package struct TransferProgress: Hashable, Sendable {
    /// Runs that were copied completely.
    package var done: Int
    package let runs: Int
    /// Rows written by this call.
    package var rows = 0

    package init(done: Int, runs: Int) {
        self.done = done
        self.runs = runs
    }
}

package enum TransferEnd: Hashable, Sendable {
    /// All is copied, and both stores have these rows.
    case done([TransferCount])
    /// An earlier call had finished already.
    case wasDone
}
