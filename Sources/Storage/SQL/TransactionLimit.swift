package enum TransactionLimit {
    /// The most rows to look at or to change in one transaction, so that others do not wait for
    /// long.
    package static let rows = 5_000
}
