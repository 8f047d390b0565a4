import Dispatch
import Files
import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct BlockingWorkTests {
    /// Every piece of work begins before an earlier one ends, and a task runs at the same time.
    @Test("Blocking work does not delay other work")
    func blockingWorkDoesNotDelayOtherWork() async {
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount
        let gate = DispatchSemaphore(value: 0)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup(of: Void.self) { tasks in
            for _ in 0..<count {
                tasks.addTask {
                    await BlockingWork.run {
                        begin.yield()
                        gate.wait()
                    }
                }
            }
            tasks.addTask {
                var events = begun.makeAsyncIterator()
                for _ in 0..<count { await events.next() }
                for _ in 0..<count { gate.signal() }
            }
        }
    }

    @Test("A cancelled task still gets the result of its work")
    func cancelledTaskStillGetsTheResultOfItsWork() async {
        let work = Task {
            await Milestone().wait()
            return await BlockingWork.run { 7 }
        }
        work.cancel()
        #expect(await work.value == 7)
    }

    @Test("An endless wait ends when its task is cancelled")
    func endlessWaitEndsWhenItsTaskIsCancelled() async {
        let gate = DispatchSemaphore(value: 0)
        let begun = Milestone()
        let waiting = Task {
            try await BlockingWork.runUnlessCancelled {
                begun.reach()
                gate.wait()
            }
        }
        await begun.wait()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        gate.signal()
    }

    @Test("A cancelled task does not start a wait") func cancelledTaskDoesNotStartAWait() async {
        let work = Task {
            await Milestone().wait()
            try await BlockingWork.runUnlessCancelled { () -> Void in
                Issue.record("it was begun")
            }
        }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
    }

    @Test("Errors of the work are rethrown") func errorsOfTheWorkAreRethrown() async {
        await #expect(throws: ProtectedFileError.notRegular) {
            try await BlockingWork.run { () throws(ProtectedFileError) in
                throw ProtectedFileError.notRegular
            }
        }
        await #expect(throws: ProtectedFileError.notRegular) {
            try await BlockingWork.runUnlessCancelled { throw ProtectedFileError.notRegular }
        }
    }
}
