/// How much each of many transactions does: what takes about a hundredth of a second, so that others who write hardly wait.
struct WritePace {
    /// How long others get between two transactions: while SQLite waits for a lock, it looks again within that time.
    static let pause: Duration = .milliseconds(25)
    /// How long one shall take.
    private static let goal: Duration = .milliseconds(10)
    private static let least = 64
    private static let first = 1_024

    private let most: Int
    /// How many rows, or pages, the next transaction shall write.
    private(set) var amount: Int

    /// - Parameter most: the most that one may write, however quick it is.
    init(most: Int) {
        self.most = most
        amount = min(most, Self.first)
    }

    /// Takes in how long the last transaction took, with all that it waited for.
    mutating func note(_ duration: Duration) {
        if duration > Self.goal * 2 {
            amount = max(min(Self.least, most), amount / 2)
        } else if duration < Self.goal {
            amount = min(most, amount * 2)
        }
    }

    /// Does a part of the work, and learns from it.
    ///
    /// - Parameter work: writes as many rows, or pages, as it is told.
    mutating func step<Value>(
        _ work: (_ amount: Int) async throws -> Value
    ) async throws -> Value {
        let clock = ContinuousClock()
        let start = clock.now
        let value = try await work(amount)
        note(clock.now - start)
        return value
    }

    /// Lets others write.
    ///
    /// - Throws: `CancellationError`.
    static func rest() async throws {
        try await Task.sleep(for: pause)
    }
}
