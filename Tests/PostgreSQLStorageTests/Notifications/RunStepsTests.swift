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

    @Test func noStatementNamesMoreRunsThanItHasPlacesFor() {
        var steps = steps((0..<100).map { $0.isMultiple(of: 2) })
        var seen: [Int64] = []
        while true {
            let step = steps.next()
            if step.isEmpty { break }
            #expect(step.count(where: \.hasPartitions) <= RunSteps.most)
            seen += step.map(\.key)
        }
        #expect(seen == Array(0..<100))
    }

    @Test func manySmallRunsAreOneStep() {
        var steps = steps([Bool](repeating: false, count: 256) + [true])
        #expect(steps.next().count == 257)
        #expect(steps.next().isEmpty)
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
