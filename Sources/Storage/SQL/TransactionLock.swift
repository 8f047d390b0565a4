/// A lock for one transaction, or for several that share it, for cases in which no row can be
/// locked.
///
/// The lock must be taken before reading the data it protects, and it ends with the transaction.
package enum TransactionLock: Int, Sendable {
    /// The lock for deciding who owns a device's handle.
    case deviceHandle = 1
    /// The lock for writing a run's receipts, or for deciding that no more will be written.
    case receipts = 2
    /// The lock for claiming under a cap on a platform of a hub.
    case pushes = 3
    /// The lock for getting more of a run's rate.
    case rate = 4
}

package enum TransactionLimit {
    /// The maximum number of rows to read or change in one transaction, so that others do not wait
    /// long.
    package static let rows = 5_000
}
