/// Decides how many receipts to write at a time, and how long to wait after the store has failed.
///
/// After a failure, receipts are written one at a time, so that a bad receipt does not block the
/// others. Each failure in a row doubles the wait, up to a second; each success doubles the batch.
struct ReceiptBackoff: Equatable, Sendable {
    /// The maximum number of rows in one transaction; more would make other users of the store
    /// wait.
    static let largestBatch = 2_000
    private static let firstPause = Duration.milliseconds(25)
    private static let longestPause = Duration.seconds(1)

    private(set) var batchSize = Self.largestBatch
    private(set) var pause = Self.firstPause
    /// The number of consecutive failures.
    private(set) var failures = 0

    mutating func succeed() {
        batchSize = min(batchSize * 2, Self.largestBatch)
        pause = Self.firstPause
        failures = 0
    }

    mutating func fail() {
        batchSize = 1
        pause = min(pause * 2, Self.longestPause)
        failures += 1
    }
}
