import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct PageRecallTests {
    @Test func aPageIsCalledOffForASinglePersonWhoMayNotBeSentTo() async {
        var recall = PageRecall()
        let (called, kept) = (task(), task())
        recall.add(0, to: [1, 2, 3], called)
        recall.add(1, to: [4, 5], kept)
        recall.callOff { $0 != 2 }
        await called.value
        #expect(!kept.isCancelled)
        kept.cancel()
    }

    @Test func aPageThatIsDoneIsNotCalledOff() {
        var recall = PageRecall()
        let task = task()
        recall.add(0, to: [1], task)
        recall.remove(0)
        recall.callOff { _ in false }
        #expect(!task.isCancelled)
        task.cancel()
    }

    /// Runs until it is cancelled.
    private func task() -> Task<Void, Never> {
        Task { await Signal.cancellation() }
    }
}
