import Synchronization

/// Limits the size of each of many transactions, so that other writers hardly have to wait.
///
/// In a file, which has one writer at a time, a transaction takes about a hundredth of a second,
/// and others can write after it. The time for a row is not known in advance: moving a page takes
/// longer the more space is free, while a free page is dropped immediately. Therefore, a
/// transaction checks the clock between its parts (``WriteBatch``), and its limit depends on how
/// long earlier transactions took.
package struct WritePace: Sendable {
    /// The pause between two transactions, within which a waiting SQLite tries again.
    private static let pause: Duration = .milliseconds(25)
    /// The intended duration of a transaction.
    private static let goal: Duration = .milliseconds(10)
    /// How long after its start a transaction may begin further parts; the commit, which writes all
    /// changed pages, takes about as long again.
    private static let work: Duration = goal / 2
    private static let least = 64
    private static let first = 1_024

    private let most: Int
    /// The maximum number of bytes that one transaction deletes or rewrites in addition to its
    /// first value, because all of them are written to the log.
    package let mostBytes: Int
    private let clock: (any Clock<Duration>)?
    private let now: @Sendable () -> Duration
    /// How many rows or pages the next transaction may write.
    package private(set) var amount: Int
    /// Whether others have had no chance to write since the last transaction.
    private var isRestDue = false

    /// - Parameters:
    ///   - most: the maximum number of rows or pages, however fast the work is.
    ///   - clock: nil if others can write in the meantime, so that no transaction is cut short and
    ///     there are no pauses.
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

    /// Adjusts the amount according to how long the last transaction blocked others.
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

    /// Lets others write unless they have already had a chance since the last transaction; throws
    /// `CancellationError`.
    mutating func rest() async throws {
        try Task.checkCancellation()
        guard isRestDue else { return }
        try await clock?.sleep(for: Self.pause)
        isRestDue = false
    }
}

/// The work of one transaction, in parts that stop once others have waited long enough.
package final class WriteBatch: Sendable {
    /// The number of rows in one part, which take about a millisecond.
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

    /// How long others have been waiting; nil if no part was done.
    fileprivate var duration: Duration? {
        start.withLock(\.self).map { now() - $0 }
    }

    /// Does one or more parts, until nothing is left or the batch is over.
    ///
    /// Must be called within the transaction, so that only the time in which others wait is
    /// measured. `part` returns whether nothing is left.
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
