/// A store whose rows are copied into another store while nothing can change it; calls block the
/// thread.
package protocol StoreSource: Sendable {
    /// Identifies this store in its current state.
    func fingerprint() throws -> String
    /// Reads in a transaction that lasts as long as the source; calls cannot be nested.
    func read<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value
    func columns(of table: String) throws -> Set<String>
    /// The hash that recognises forgotten names in this store; nil if nobody was forgotten.
    func nameHash() throws -> NameHash?
}

package struct TransferProgress: Hashable, Sendable {
    /// The number of runs that were copied completely.
    package var done: Int
    package let runs: Int
    /// The number of rows that were written by this call.
    package var rows = 0

    package init(done: Int, runs: Int) {
        self.done = done
        self.runs = runs
    }
}

package enum TransferEnd: Hashable, Sendable {
    /// Everything is copied; the value is the number of rows in each table, equal in both stores.
    case done([String: Int])
    /// An earlier call had already finished.
    case wasDone
}
