import NIOCore
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct StartPacerTests {
    /// The start times, in nanoseconds, of a loop whose timers fire late.
    private func starts(
        perSecond rate: Int, seconds: Int64, lateBy lateness: (inout SeededRandom) -> Int64
    ) -> [Int64] {
        var random = SeededRandom(seed: UInt64(rate))
        var pacer = StartPacer()
        let interval = Duration.nanoseconds(1_000_000_000 / rate)
        var now: Int64 = 1_000_000_000
        let end = now + seconds * 1_000_000_000
        var starts: [Int64] = []
        while now < end {
            let earliest = Int64(pacer.earliest(interval).uptimeNanoseconds)
            if earliest <= now {
                pacer.start(interval, now: .uptimeNanoseconds(UInt64(now)))
                starts.append(now)
            } else {
                now = max(earliest, now + StartPacer.grain.nanoseconds) + lateness(&random)
            }
        }
        return starts
    }

    private func mostInASecond(_ starts: [Int64]) -> Int {
        var most = 0
        var first = 0
        for (index, start) in starts.enumerated() {
            while start - starts[first] >= 1_000_000_000 { first += 1 }
            most = max(most, index - first + 1)
        }
        return most
    }

    @Test(
        "The rate is reached even if timers are late",
        arguments: [20, 99, 500, 1_000, 7_777, 20_000])
    func rateIsReachedEvenIfTimersAreLate(rate: Int) {
        let starts = starts(perSecond: rate, seconds: 4) {
            .random(in: 20_000...200_000, using: &$0)
        }

        #expect(starts.count >= rate * 4 * 97 / 100)
    }

    @Test(
        "No second has more starts than the rate allows",
        arguments: [20, 99, 500, 1_000, 7_777, 20_000])
    func noSecondHasMoreStartsThanTheRateAllows(rate: Int) {
        // Sometimes the machine is busy for a while.
        let starts = starts(perSecond: rate, seconds: 4) { random in
            Int.random(in: 0..<50, using: &random) == 0
                ? .random(in: 0...60_000_000, using: &random)
                : .random(in: 0...3_000_000, using: &random)
        }

        #expect(mostInASecond(starts) <= rate + 1)
    }

    @Test("A pause is not followed by a burst") func pauseIsNotFollowedByABurst() {
        var pacer = StartPacer()
        pacer.start(.milliseconds(1), now: .uptimeNanoseconds(0))
        let later = NIODeadline.uptimeNanoseconds(60_000_000_000)
        var burst = 0
        while pacer.earliest(.milliseconds(1)) <= later {
            pacer.start(.milliseconds(1), now: later)
            burst += 1
        }

        #expect(burst <= 11)
    }

    @Test("Long intervals are kept exactly") func longIntervalsAreKeptExactly() {
        var pacer = StartPacer()
        pacer.start(.milliseconds(50), now: .uptimeNanoseconds(7_000_000))

        #expect(pacer.earliest(.milliseconds(50)) == .uptimeNanoseconds(57_000_000))
    }

    @Test("A push without an interval does not wait and is not counted")
    func pushWithoutAnIntervalDoesNotWaitAndIsNotCounted() {
        var pacer = StartPacer()
        let now = NIODeadline.uptimeNanoseconds(1_000_000_000)
        pacer.start(.seconds(1), now: now)
        pacer.start(nil, now: now)

        #expect(pacer.earliest(nil) <= now)
        #expect(pacer.earliest(.seconds(1)) == now + .seconds(1))
    }
}
