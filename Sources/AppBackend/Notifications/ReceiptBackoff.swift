/// How many receipts are written at a time, and how long to wait after the store failed.
///
/// After a failure receipts are tried one at a time, so that one that the store cannot take holds up
/// no other, and each failure in a row doubles the wait, up to a second. Each success doubles the
/// batch again.
struct ReceiptBackoff: Equatable, Sendable {
    /// Rows of one transaction, so that others who use the store do not wait.
    static let largestBatch = 2_000
    private static let firstPause = Duration.milliseconds(25)
    private static let longestPause = Duration.seconds(1)

    /// The most receipts of the next transaction.
    private(set) var batchSize = Self.largestBatch
    /// How long to wait after the last failure.
    private(set) var pause = Self.firstPause
    /// How often the store has failed in a row.
    private(set) var failures = 0

    /// Begins with whole batches.
    init() {}

    /// The store took a batch.
    mutating func succeed() {
        batchSize = min(batchSize * 2, Self.largestBatch)
        pause = Self.firstPause
        failures = 0
    }

    /// The store did not take a batch.
    mutating func fail() {
        batchSize = 1
        pause = min(pause * 2, Self.longestPause)
        failures += 1
    }
}
