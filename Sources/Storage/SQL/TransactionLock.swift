/// A lock for one transaction, or several that share it, where no row can be locked.
///
/// Take it before reading the data it protects; it ends with the transaction.
package enum TransactionLock: Int, Sendable {
    /// Deciding who owns a device's handle.
    case deviceHandle = 1
    /// Writing a run's receipts, or deciding that there are no more.
    case receipts = 2
    /// Claiming under a cap on a platform of a hub.
    case pushes = 3
    /// Getting more of a run's rate.
    case rate = 4
}

package enum TransactionLimit {
    /// The most rows to read or change in one transaction, so that others do not wait long.
    package static let rows = 5_000
}
