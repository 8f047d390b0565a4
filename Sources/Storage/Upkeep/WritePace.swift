import Synchronization

/// Limits each of many transactions, so that other writers hardly wait.
///
/// In a file, which has one writer at a time, a transaction takes about a hundredth of a second,
/// and others can write after it. How long a row takes is not known beforehand: a page is moved
/// more slowly the more is free, and dropped at once if it is free. So a transaction checks the
/// clock between its parts (``WriteBatch``), and earlier transactions set its limit.
package struct WritePace: Sendable {
    /// The pause between two transactions: a waiting SQLite looks again within that time.
    private static let pause: Duration = .milliseconds(25)
    /// The duration of a transaction.
    private static let goal: Duration = .milliseconds(10)
    /// How long it may begin further parts: the commit, which writes all changed pages, takes about
    /// as long again.
    private static let work: Duration = goal / 2
    private static let least = 64
    private static let first = 1_024

    private let most: Int
    /// The most bytes that one transaction deletes or rewrites, beyond its first value: all go
    /// through the log.
    package let mostBytes: Int
    private let clock: (any Clock<Duration>)?
    private let now: @Sendable () -> Duration
    /// How many rows or pages the next transaction may write.
    package private(set) var amount: Int
    /// Whether others could not write since the last transaction.
    private var isRestDue = false

    /// - Parameters:
    ///   - most: the limit of rows or pages, however quick the work is.
    ///   - clock: nil where others can write meanwhile: no transaction is cut short, and there are
    ///     no pauses.
    package init(
        most: Int, mostBytes: Int = 2 << 20, clock: (any Clock<Duration>)? = ContinuousClock()
    ) {
        self.most = most
        self.mostBytes = mostBytes
        self.clock = clock
        now = if let clock { Self.reader(clock) } else { { .zero } }
        amount = clock == nil ? most : min(most, Self.first)
    }

    private static func reader(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let origin = clock.now
        return { origin.duration(to: clock.now) }
    }

    /// Adjusts the amount to how long the last transaction blocked others.
    mutating func note(_ duration: Duration) {
        if duration > Self.goal * 2 {
            amount = max(min(Self.least, most), amount / 2)
        } else if duration < Self.goal {
            amount = min(most, amount * 2)
        }
    }

    /// Lets others write, then does the work of one transaction and adjusts the amount.
    package mutating func step<Value>(
        _ work: (_ batch: WriteBatch) async throws -> Value
    ) async throws -> Value {
        try await rest()
        let batch = WriteBatch(
            amount: amount, partRows: clock == nil ? amount : WriteBatch.rows, time: Self.work,
            now: now)
        let value = try await work(batch)
        isRestDue = true
        if let duration = batch.duration { note(duration) }
        return value
    }

    /// Lets others write, if they could not since the last transaction; throws `CancellationError`.
    mutating func rest() async throws {
        try Task.checkCancellation()
        guard isRestDue else { return }
        try await clock?.sleep(for: Self.pause)
        isRestDue = false
    }
}

/// The work of one transaction, in parts that stop once others have waited long enough.
package final class WriteBatch: Sendable {
    /// Rows of one part, which take about a millisecond.
    static let rows = 256

    private let amount: Int
    private let partRows: Int
    private let time: Duration
    private let now: @Sendable () -> Duration
    private let start = Mutex<Duration?>(nil)

    fileprivate init(
        amount: Int, partRows: Int, time: Duration, now: @escaping @Sendable () -> Duration
    ) {
        self.amount = amount
        self.partRows = partRows
        self.time = time
        self.now = now
    }

    /// How long others have waited; nil if no part was done.
    fileprivate var duration: Duration? {
        start.withLock(\.self).map { now() - $0 }
    }

    /// Does parts, at least one, until nothing is left or the batch is over.
    ///
    /// Called within the transaction, so that only time in which others wait counts. `part` says
    /// whether nothing is left.
    @discardableResult
    package func parts(
        of size: Int? = nil, _ part: (_ amount: Int) throws -> Bool
    ) rethrows -> Bool {
        let size = size ?? partRows
        let start = now()
        self.start.withLock { $0 = start }
        let end = start + time
        var left = amount
        repeat {
            if try part(min(left, size)) { return true }
            left -= size
        } while left > 0 && now() < end
        return false
    }
}
