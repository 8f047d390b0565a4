import TestSupport
import Testing

@testable import Storage

@Suite(.bounded) struct WritePaceTests {
    @Test("Fast work increases the amount of work per transaction, up to the maximum")
    func fastWorkIncreasesTheAmountOfWorkPerTransactionUpToTheMaximum() {
        var pace = WritePace(most: 5_000)
        #expect(pace.amount == 1_024)
        for expected in [2_048, 4_096, 5_000, 5_000] {
            pace.note(.milliseconds(1))
            #expect(pace.amount == expected)
        }
    }

    @Test("Slow work decreases the amount of work, but never to zero")
    func slowWorkDecreasesTheAmountOfWorkButNeverToZero() {
        var pace = WritePace(most: 5_000)
        for expected in [512, 256, 128, 64, 64] {
            pace.note(.milliseconds(50))
            #expect(pace.amount == expected)
        }
        var few = WritePace(most: 10)
        #expect(few.amount == 10)
        few.note(.seconds(1))
        #expect(few.amount == 10)
    }

    @Test("The amount of work stays the same if it takes the intended time")
    func amountOfWorkStaysTheSameIfItTakesTheIntendedTime() {
        var pace = WritePace(most: 5_000)
        pace.note(.milliseconds(15))
        #expect(pace.amount == 1_024)
    }

    /// The amounts that each part of the next transaction was told to write.
    private func parts(
        of size: Int, tick: Duration, most: Int = 5_000, in all: Int = .max
    ) async throws -> (amounts: [Int], isOver: Bool) {
        var pace = WritePace(most: most, clock: TickingClock(tick: tick))
        return try await pace.step { batch in
            var amounts: [Int] = []
            let isOver = batch.parts(of: size) { amount in
                amounts.append(amount)
                return amounts.reduce(0, +) >= all
            }
            return (amounts, isOver)
        }
    }

    @Test("A transaction that is out of time starts no further piece of work")
    func transactionThatIsOutOfTimeStartsNoFurtherPieceOfWork() async throws {
        // Five milliseconds, half of a transaction's time, have passed at the third reading of the
        // clock.
        let some = try await parts(of: 16, tick: .milliseconds(2))
        #expect(some.amounts == [16, 16, 16])
        #expect(!some.isOver)
        let one = try await parts(of: 16, tick: .seconds(1))
        #expect(one.amounts == [16])
    }

    @Test("A fast transaction ends after its amount of work or when no work is left")
    func fastTransactionEndsAfterItsAmountOfWorkOrWhenNoWorkIsLeft() async throws {
        let most = try await parts(of: 400, tick: .zero)
        #expect(most.amounts == [400, 400, 224])
        #expect(!most.isOver)
        let all = try await parts(of: 400, tick: .zero, in: 500)
        #expect(all.amounts == [400, 400])
        #expect(all.isOver)
        let few = try await parts(of: 400, tick: .zero, most: 10)
        #expect(few.amounts == [10])
    }

    @Test("A transaction's duration, including its commit, sets the next amount of work")
    func transactionsDurationIncludingItsCommitSetsTheNextAmountOf() async throws {
        var pace = WritePace(most: 5_000, clock: TickingClock(tick: .milliseconds(21)))
        _ = try await pace.step { batch in batch.parts { _ in true } }
        #expect(pace.amount == 512)
    }

    @Test("Time spent waiting for the lock does not change the next amount of work")
    func timeSpentWaitingForTheLockDoesNotChangeTheNextAmountOfWork() async throws {
        let clock = TickingClock(tick: .milliseconds(15))
        var pace = WritePace(most: 5_000, clock: clock)
        _ = try await pace.step { batch in
            // Others write to the store.
            for _ in 0..<100 { _ = clock.now }
            return batch.parts { _ in true }
        }
        #expect(pace.amount == 1_024)
    }

    @Test("A transaction without work does not change the amount of work")
    func transactionWithoutWorkDoesNotChangeTheAmountOfWork() async throws {
        var pace = WritePace(most: 5_000, clock: TickingClock(tick: .seconds(1)))
        try await pace.step { _ in }
        #expect(pace.amount == 1_024)
    }

    @Test("The first transaction starts immediately, and each later one after a pause")
    func firstTransactionStartsImmediatelyAndEachLaterOneAfterAPause() async throws {
        // Sleeping on this clock throws a cancellation.
        var pace = WritePace(most: 5_000, clock: TickingClock(tick: .zero))
        try await pace.rest()
        try await pace.step { _ in }
        await #expect(throws: CancellationError.self) { try await pace.rest() }
        await #expect(throws: CancellationError.self) {
            _ = try await pace.step { _ in Issue.record("It wrote at once.") }
        }
    }

    @Test("A cancelled task starts no transaction")
    func cancelledTaskStartsNoTransaction() async throws {
        await #expect(throws: CancellationError.self) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.cancelAll()
                group.addTask {
                    var pace = WritePace(most: 5_000)
                    _ = try await pace.step { _ in Issue.record("It began.") }
                }
                try await group.waitForAll()
            }
        }
    }
}
