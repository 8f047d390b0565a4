/// A store whose rows are copied into another store while nobody changes it; calls block the
/// thread.
package protocol StoreSource: Sendable {
    /// Identifies this store in its current state.
    func fingerprint() throws -> String
    /// Reads in the transaction that lasts as long as the source; calls within each other are not
    /// possible.
    func read<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value
    func columns(of table: String) throws -> Set<String>
    /// The hash of names that were forgotten there; nil if nobody was.
    func nameHash() throws -> NameHash?
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
    /// Everything is copied; the number of rows in each table, equal in both stores.
    case done([String: Int])
    /// An earlier call had finished already.
    case wasDone
}
