import TestSupport
import Testing

@testable import Delivery

struct AdaptiveRateTests {
    @Test func nothingIsHeldBackBeforeTheHubComplains() {
        var rate = AdaptiveRate(ceiling: 500)
        rate.recover(at: .seconds(100))
        #expect(rate.limit == nil)
        #expect(rate.interval == nil)
    }

    @Test func aComplaintHalvesTheRateOnceASecond() {
        var rate = AdaptiveRate(ceiling: 500)
        for _ in 0..<100 { rate.throttled(at: .seconds(10), observed: 400) }
        #expect(rate.limit == 200)
        #expect(rate.interval == .milliseconds(5))
        rate.throttled(at: .milliseconds(10_999), observed: 400)
        #expect(rate.limit == 200)
        rate.throttled(at: .seconds(11), observed: 400)
        #expect(rate.limit == 100)
    }

    @Test func itComesBackEvenlyAndEndsAtTheCeiling() {
        var rate = AdaptiveRate(ceiling: 400)
        rate.throttled(at: .zero, observed: 400)
        var last = 200.0
        for second in 1...9 {
            rate.recover(at: .seconds(second))
            let limit = rate.limit ?? 0
            #expect(abs(limit - last - 20) < 0.001)
            last = limit
        }
        rate.recover(at: .seconds(10))
        #expect(rate.limit == nil)
    }

    @Test func anUnlimitedRateStartsFromWhatWasObservedAndKeepsProbing() {
        var rate = AdaptiveRate(ceiling: nil)
        rate.throttled(at: .seconds(5), observed: 10_000)
        #expect(rate.limit == 5_000)
        rate.recover(at: .seconds(25))
        #expect(rate.limit == 15_000)
    }

    @Test func howOftenOneLooksMakesNoDifference() {
        var often = AdaptiveRate(ceiling: 1_000)
        often.throttled(at: .zero, observed: 1_000)
        var once = often
        for step in 1...400 { often.recover(at: .milliseconds(step * 10)) }
        once.recover(at: .seconds(4))
        #expect(abs((often.limit ?? 0) - (once.limit ?? 1)) < 0.001)
    }

    /// Complaints and quiet times at random.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func underAnyScheduleItStaysWithinItsBounds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let ceilings: [Double?] = [nil, 0.5, 1, 20, 100_000]
        let ceiling = ceilings[Int.random(in: 0..<5, using: &generator)]
        var rate = AdaptiveRate(ceiling: ceiling)
        var now: Duration = .zero
        for _ in 0..<500 {
            now += .milliseconds(Int.random(in: 0...3_000, using: &generator))
            let before = rate.limit
            if Bool.random(using: &generator) {
                rate.throttled(at: now, observed: Double.random(in: 0...200_000, using: &generator))
                let limit = rate.limit ?? .infinity
                #expect(limit <= before ?? .infinity || limit <= AdaptiveRate.least)
            } else {
                rate.recover(at: now)
                #expect((rate.limit ?? .infinity) >= before ?? 0)
            }
            if let limit = rate.limit {
                #expect(limit >= min(AdaptiveRate.least, ceiling ?? .infinity))
                #expect(limit < ceiling ?? .infinity || limit <= AdaptiveRate.least)
            }
        }
        // Once nobody complains any more, it comes back.
        rate.recover(at: now + .seconds(1_000_000))
        if ceiling != nil { #expect(rate.limit == nil) }
    }
}
