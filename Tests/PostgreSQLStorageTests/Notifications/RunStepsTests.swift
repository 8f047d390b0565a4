import TestSupport
import Testing

@testable import PostgreSQLStorage

@Suite(.bounded) struct RunStepsTests {
    private func steps(_ kinds: [Bool]) -> RunSteps {
        RunSteps(
            kinds.enumerated().map { index, hasPartitions in
                RunSteps.Run(key: Int64(index), hasPartitions: hasPartitions)
            })
    }

    @Test func aListOfRunsIsOfOnePartition() {
        var steps = steps([false, false, true, true, false])
        #expect(steps.nextOfOnePartition() == [0, 1])
        #expect(steps.nextOfOnePartition() == [2])
        #expect(steps.nextOfOnePartition() == [3])
        #expect(steps.nextOfOnePartition() == [4])
        #expect(steps.nextOfOnePartition() == [])
    }
}
