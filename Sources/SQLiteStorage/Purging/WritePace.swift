import Synchronization

/// How much each of many transactions does: what takes about a hundredth of a second, so that others who write hardly wait.
///
/// How long a row takes is not known before: a page is moved the more slowly the more of the file is free, and is dropped at once
/// where it is free itself. So a transaction looks at the clock between its parts (``WriteTurn``); how much it may do at most
/// follows from how long those before took with their commit. Between two of them others can write.
struct WritePace {
    /// How long others get between two transactions: while SQLite waits for a lock, it looks again within that time.
    private static let pause: Duration = .milliseconds(25)
    /// How long one shall take.
    private static let goal: Duration = .milliseconds(10)
    /// How long one may begin further parts: its commit, which writes all pages that were changed, takes about as long again.
    private static let work: Duration = goal / 2
    private static let least = 64
    private static let first = 1_024

    private let most: Int
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Duration
    /// How many rows, or pages, the next transaction shall write.
    private(set) var amount: Int
    /// Whether others could not write since the last transaction.
    private var isRestDue = false

    /// - Parameters:
    ///   - most: the most that one may write, however quick it is.
    ///   - clock: what its time is measured by.
    init(most: Int, clock: any Clock<Duration> = ContinuousClock()) {
        self.most = most
        self.clock = clock
        now = Self.reader(clock)
        amount = min(most, Self.first)
    }

    private static func reader(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let origin = clock.now
        return { origin.duration(to: clock.now) }
    }

    /// Takes in how long the last transaction kept others waiting.
    mutating func note(_ duration: Duration) {
        if duration > Self.goal * 2 {
            amount = max(min(Self.least, most), amount / 2)
        } else if duration < Self.goal {
            amount = min(most, amount * 2)
        }
    }

    /// Lets others write, then does a transaction's share of the work, and learns from it.
    ///
    /// - Parameter work: writes in one transaction what its turn allows.
    /// - Throws: as ``rest()``, before anything is done; what `work` throws.
    mutating func step<Value>(
        _ work: (_ turn: WriteTurn) async throws -> Value
    ) async throws -> Value {
        try await rest()
        let turn = WriteTurn(amount: amount, time: Self.work, now: now)
        let value = try await work(turn)
        isRestDue = true
        if let duration = turn.duration { note(duration) }
        return value
    }

    /// Lets others write, if they could not since the last transaction.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    mutating func rest() async throws {
        try Task.checkCancellation()
        guard isRestDue else { return }
        try await clock.sleep(for: Self.pause)
        isRestDue = false
    }
}

/// What one transaction of many may do.
final class WriteTurn: Sendable {
    /// Rows that one part writes, which takes about a thousandth of a second.
    static let rows = 256

    /// How many rows, or pages, it may write.
    private let amount: Int
    /// How long it may begin further parts.
    private let time: Duration
    private let now: @Sendable () -> Duration
    /// When its parts began.
    private let start = Mutex<Duration?>(nil)

    fileprivate init(amount: Int, time: Duration, now: @escaping @Sendable () -> Duration) {
        self.amount = amount
        self.time = time
        self.now = now
    }

    /// How long others have waited for it, and not it for them; nil: it has done no part.
    fileprivate var duration: Duration? {
        start.withLock(\.self).map { now() - $0 }
    }

    /// Does part after part, one in any case, until nothing is left or the turn is over.
    ///
    /// It is called within the transaction: others wait from then on, and not while this one waits for them.
    ///
    /// - Parameters:
    ///   - size: how many rows, or pages, one part writes.
    ///   - part: writes as many as it is told, and says whether nothing is left.
    /// - Returns: whether nothing is left.
    @discardableResult
    func parts(
        of size: Int = WriteTurn.rows, _ part: (_ amount: Int) throws -> Bool
    ) rethrows -> Bool {
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
