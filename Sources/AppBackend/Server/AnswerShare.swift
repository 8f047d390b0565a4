/// An answer's part of an ``AnswerBudget``, given back once nothing holds it: the answer was
/// written, or its connection has ended.
final class AnswerShare: Sendable {
    private let byteCount: Int
    private let budget: AnswerBudget

    init(byteCount: Int, budget: AnswerBudget) {
        self.byteCount = byteCount
        self.budget = budget
    }

    deinit {
        budget.giveBack(byteCount)
    }
}
