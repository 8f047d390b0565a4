/// What only one transaction may do, or several that share it, where no row can be locked.
///
/// It must be taken before reading what it protects, and ends with the transaction.
package enum TransactionLock: Int, Sendable {
    /// Deciding whose a device's handle is.
    case deviceHandle = 1
    /// Writing a run's receipts, or deciding that there are no more.
    case receipts = 2
    /// Claiming under a cap on a platform of a hub.
    case pushes = 3
    /// Getting more of a run's rate.
    case rate = 4
}

package enum TransactionLimit {
    /// The most rows to look at or to change in one transaction, so that others do not wait for
    /// long.
    package static let rows = 5_000
}
