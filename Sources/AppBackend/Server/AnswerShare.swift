/// An answer's part of an ``AnswerBudget``, given back once nothing holds it: the answer was
/// written, or its connection has ended.
final class AnswerShare: Sendable {
    private let byteCount: Int
    private let holder: AnswerBudget.Holder
    private let budget: AnswerBudget

    init(byteCount: Int, holder: AnswerBudget.Holder, budget: AnswerBudget) {
        self.byteCount = byteCount
        self.holder = holder
        self.budget = budget
    }

    deinit {
        budget.giveBack(byteCount, of: holder)
    }
}
