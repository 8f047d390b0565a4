import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct ReceiptBackoffTests {
    @Test("After a failure, receipts are retried one by one with growing delays")
    func afterAFailureReceiptsAreRetriedOneByOneWithGrowingDelays() {
        var backoff = ReceiptBackoff()
        #expect(backoff.batchSize == ReceiptBackoff.largestBatch)
        var pauses: [Duration] = []
        for number in 1...8 {
            backoff.fail()
            #expect(backoff.batchSize == 1)
            #expect(backoff.failures == number)
            pauses.append(backoff.pause)
        }
        let milliseconds = [50, 100, 200, 400, 800, 1_000, 1_000, 1_000]
        #expect(pauses == milliseconds.map { Duration.milliseconds($0) })
    }

    @Test("Each success doubles the batch size, up to the maximum")
    func eachSuccessDoublesTheBatchSizeUpToTheMaximum() {
        var backoff = ReceiptBackoff()
        backoff.fail()
        backoff.fail()
        backoff.succeed()
        #expect(backoff.batchSize == 2)
        #expect(backoff.failures == 0)
        for _ in 1...20 { backoff.succeed() }
        #expect(backoff == ReceiptBackoff())
        backoff.fail()
        #expect(backoff.pause == .milliseconds(50))
    }
}
