import Synchronization

/// Bounds the bytes of large answers that are on their way, since a client that takes its time keeps
/// them in memory.
final class AnswerBudget: Sendable {
    /// The largest answer in bytes that is small: of those the bound on connections is enough.
    static let largestSmall = 65_536

    private let limit: Int
    private let used = Atomic(0)

    /// - Parameter limit: in bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes a part for an answer; nil when there is not so much left.
    func share(of byteCount: Int) -> AnswerShare? {
        guard used.add(byteCount, ordering: .relaxed).newValue <= limit else {
            giveBack(byteCount)
            return nil
        }
        return AnswerShare(byteCount: byteCount, budget: self)
    }

    /// Takes back what a share had.
    func giveBack(_ byteCount: Int) {
        used.subtract(byteCount, ordering: .relaxed)
    }
}
