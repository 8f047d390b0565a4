import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct RateLimiterTests {
    @Test("A page starts once the previous one has used its time")
    func pageStartsOnceThePreviousOneHasUsedItsTime() {
        var limiter = RateLimiter(rate: 500)
        #expect(limiter.interval == .milliseconds(2))
        limiter.take(250, from: limiter.start(at: .zero))
        #expect(limiter.start(at: .milliseconds(100)) == .milliseconds(500))
    }

    @Test("Unused time cannot be made up later") func unusedTimeCannotBeMadeUpLater() {
        var limiter = RateLimiter(rate: 10)
        limiter.take(1, from: limiter.start(at: .zero))
        let late = limiter.start(at: .seconds(60))
        #expect(late == .seconds(60))
        limiter.take(10, from: late)
        #expect(limiter.start(at: .seconds(60)) == .seconds(61))
    }

    @Test("Without a rate, everything may start immediately")
    func withoutARateEverythingMayStartImmediately() {
        var limiter = RateLimiter(rate: nil)
        limiter.take(100_000, from: .zero)
        #expect(limiter.start(at: .milliseconds(1)) == .milliseconds(1))
    }

    @Test("Starts are never closer than the rate allows", arguments: 0..<20 as Range<UInt64>)
    func startsAreNeverCloserThanTheRateAllows(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let rate = Double.random(in: 1...2_000, using: &generator)
        var limiter = RateLimiter(rate: rate)
        var now: Duration = .zero
        var starts: [Duration] = []
        for _ in 0..<200 {
            now += .milliseconds(Int.random(in: 0...400, using: &generator))
            let start = limiter.start(at: now)
            let count = Int.random(in: 1...50, using: &generator)
            limiter.take(count, from: start)
            let interval = limiter.interval ?? .zero
            starts += (0..<count).map { start + interval * $0 }
        }
        for (before, after) in zip(starts, starts.dropFirst()) {
            #expect(after - before >= (limiter.interval ?? .zero))
        }
    }
}
