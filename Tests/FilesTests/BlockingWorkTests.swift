import Dispatch
import Files
import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct BlockingWorkTests {
    /// Every piece begins though none of those before it ends, and a task runs beside them all.
    @Test func workThatWaitsHoldsUpNothingElse() async {
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

    @Test func aCancelledTaskStillGetsWhatItsWorkReturns() async {
        let work = Task {
            await Milestone().wait()
            return await BlockingWork.run { 7 }
        }
        work.cancel()
        #expect(await work.value == 7)
    }

    @Test func aWaitThatNothingEndsIsOverWithItsTask() async {
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

    @Test func aCancelledTaskBeginsNoWaitWithoutAnEnd() async {
        let work = Task {
            await Milestone().wait()
            try await BlockingWork.runUnlessCancelled { () -> Void in
                Issue.record("it was begun")
            }
        }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
    }

    @Test func whatTheWorkThrowsIsThrown() async {
        await #expect(throws: FileFault.notRegular) {
            try await BlockingWork.run { () throws(FileFault) in throw FileFault.notRegular }
        }
        await #expect(throws: FileFault.notRegular) {
            try await BlockingWork.runUnlessCancelled { throw FileFault.notRegular }
        }
    }
}
