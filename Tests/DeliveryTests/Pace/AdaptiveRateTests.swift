import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct AdaptiveRateTests {
    /// Lets whole seconds pass, each with this many responses and throttled responses.
    private func pass(
        _ seconds: Range<Int>, _ rate: inout AdaptiveRate, answers: Int, throttled: Int
    ) {
        for second in seconds {
            let time = Duration.seconds(second) + .milliseconds(100)
            rate.answered(answers, at: time)
            for _ in 0..<throttled { rate.throttled(1, at: time) }
        }
        rate.advance(to: .seconds(seconds.upperBound) + .milliseconds(100))
    }

    @Test("The full rate is used until the hub throttles")
    func fullRateIsUsedUntilTheHubThrottles() {
        var rate = AdaptiveRate(ceiling: 500)
        pass(0..<100, &rate, answers: 500, throttled: 0)
        #expect(rate.limit == nil)
        #expect(rate.interval == nil)
    }

    @Test("If everything is throttled, the rate is halved within a quarter of a second")
    func ifEverythingIsThrottledTheRateIsHalvedWithinAQuarterOfA() {
        var rate = AdaptiveRate(ceiling: 400)
        rate.answered(100, at: .milliseconds(240))
        for _ in 0..<100 { rate.throttled(1, at: .milliseconds(240)) }
        #expect(rate.limit == nil)
        rate.answered(1, at: .milliseconds(250))
        let limit = rate.limit ?? 0
        #expect(limit > 200 && limit < 205)
        #expect(rate.interval == .seconds(1) / limit)
    }

    @Test("A few throttled responses hardly change the rate")
    func fewThrottledResponsesHardlyChangeTheRate() {
        var rate = AdaptiveRate(ceiling: 500)
        pass(0..<1_000, &rate, answers: 500, throttled: 10)
        #expect(rate.limit ?? 500 > 490, "two answers in a hundred")
    }

    @Test("The rate recovers gradually up to the ceiling")
    func rateRecoversGraduallyUpToTheCeiling() {
        var rate = AdaptiveRate(ceiling: 400)
        pass(0..<1, &rate, answers: 400, throttled: 400)
        var last = rate.limit ?? 0
        #expect(last < 210)
        for second in 1..<20 {
            pass(second..<(second + 1), &rate, answers: 100, throttled: 0)
            let limit = rate.limit ?? 400
            #expect(limit > last && limit < last * 1.04)
            last = limit
        }
        pass(20..<30, &rate, answers: 100, throttled: 0)
        #expect(rate.limit == nil)
    }

    @Test("An unlimited rate falls to half of the observed rate and rises again")
    func unlimitedRateFallsToHalfOfTheObservedRateAndRisesAgain() {
        var rate = AdaptiveRate(ceiling: nil)
        pass(0..<1, &rate, answers: 10_000, throttled: 10_000)
        let first = rate.limit ?? 0
        #expect(first > 4_000 && first < 6_000)
        pass(1..<60, &rate, answers: 1_000, throttled: 0)
        #expect(rate.limit ?? 0 > 2 * first)
    }

    /// A hub that accepts a number of pushes per second and throttles the others.
    @Test(
        "The rate settles at the rate that the hub accepts",
        arguments: [(500.0, 20.0), (500, 300), (100_000, 40), (100_000, 30_000)])
    func rateSettlesAtTheRateThatTheHubAccepts(ceiling: Double, capacity: Double) {
        var rate = AdaptiveRate(ceiling: ceiling)
        var sent = 0.0
        var refused = 0.0
        for second in 0..<400 {
            let made = rate.limit ?? ceiling
            let over = max(0, made - capacity)
            pass(second..<(second + 1), &rate, answers: Int(made), throttled: Int(over))
            guard second >= 100 else { continue }
            sent += made
            refused += over
        }
        #expect((sent - refused) / 300 > 0.9 * capacity)
        #expect(refused / sent < 0.15)
    }

    /// Throttling and quiet times, at random.
    @Test(
        "The rate stays within its bounds whatever the responses",
        arguments: 0..<50 as Range<UInt64>)
    func rateStaysWithinItsBoundsWhateverTheResponses(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let ceilings: [Double?] = [nil, 0.5, 1, 20, 100_000]
        let ceiling = ceilings[Int.random(in: 0..<5, using: &generator)]
        var rate = AdaptiveRate(ceiling: ceiling)
        var now: Duration = .zero
        for _ in 0..<500 {
            now += .milliseconds(Int.random(in: 0...3_000, using: &generator))
            let before = rate.limit
            let answers = Int.random(in: 0...1_000, using: &generator)
            rate.answered(answers, at: now)
            if let before { #expect(rate.limit ?? .infinity >= before / 2) }
            for _ in 0..<Int.random(in: 0...answers, using: &generator) {
                rate.throttled(1, at: now)
            }
            if let limit = rate.limit {
                #expect(limit >= AdaptiveRate.least)
                #expect(limit < ceiling ?? .infinity || limit <= AdaptiveRate.least)
            }
        }
        // Without throttling, the rate recovers.
        rate.advance(to: now + .seconds(10))
        rate.advance(to: now + .seconds(100_000_000))
        if ceiling != nil { #expect(rate.limit == nil) }
    }
}
