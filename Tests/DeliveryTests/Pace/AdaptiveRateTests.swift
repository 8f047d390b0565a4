import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct AdaptiveRateTests {
    /// Passes whole seconds, with so many answers and complaints each.
    private func pass(
        _ seconds: Range<Int>, _ rate: inout AdaptiveRate, answers: Int, complaints: Int
    ) {
        for second in seconds {
            let time = Duration.seconds(second) + .milliseconds(100)
            rate.answered(answers, at: time)
            for _ in 0..<complaints { rate.throttled(1, at: time) }
        }
        rate.advance(to: .seconds(seconds.upperBound) + .milliseconds(100))
    }

    @Test func nothingIsHeldBackBeforeTheHubComplains() {
        var rate = AdaptiveRate(ceiling: 500)
        pass(0..<100, &rate, answers: 500, complaints: 0)
        #expect(rate.limit == nil)
        #expect(rate.interval == nil)
    }

    @Test func aHubThatRefusesEverythingHalvesTheRateWithinAQuarterOfASecond() {
        var rate = AdaptiveRate(ceiling: 400)
        rate.answered(100, at: .milliseconds(240))
        for _ in 0..<100 { rate.throttled(1, at: .milliseconds(240)) }
        #expect(rate.limit == nil)
        rate.answered(1, at: .milliseconds(250))
        let limit = rate.limit ?? 0
        #expect(limit > 200 && limit < 205)
        #expect(rate.interval == .seconds(1) / limit)
    }

    @Test func aStrayComplaintHardlyMatters() {
        var rate = AdaptiveRate(ceiling: 500)
        pass(0..<1_000, &rate, answers: 500, complaints: 10)
        #expect(rate.limit ?? 500 > 490, "two answers in a hundred")
    }

    @Test func itComesBackEvenlyAndEndsAtTheCeiling() {
        var rate = AdaptiveRate(ceiling: 400)
        pass(0..<1, &rate, answers: 400, complaints: 400)
        var last = rate.limit ?? 0
        #expect(last < 210)
        for second in 1..<20 {
            pass(second..<(second + 1), &rate, answers: 100, complaints: 0)
            let limit = rate.limit ?? 400
            #expect(limit > last && limit < last * 1.04)
            last = limit
        }
        pass(20..<30, &rate, answers: 100, complaints: 0)
        #expect(rate.limit == nil)
    }

    @Test func anUnlimitedRateStartsFromWhatWasObservedAndKeepsProbing() {
        var rate = AdaptiveRate(ceiling: nil)
        pass(0..<1, &rate, answers: 10_000, complaints: 10_000)
        let first = rate.limit ?? 0
        #expect(first > 4_000 && first < 6_000)
        pass(1..<60, &rate, answers: 1_000, complaints: 0)
        #expect(rate.limit ?? 0 > 2 * first)
    }

    /// A hub that accepts so many a second and refuses the rest.
    @Test(arguments: [(500.0, 20.0), (500, 300), (100_000, 40), (100_000, 30_000)])
    func itSettlesAtWhatTheHubBears(ceiling: Double, capacity: Double) {
        var rate = AdaptiveRate(ceiling: ceiling)
        var sent = 0.0
        var refused = 0.0
        for second in 0..<400 {
            let made = rate.limit ?? ceiling
            let over = max(0, made - capacity)
            pass(second..<(second + 1), &rate, answers: Int(made), complaints: Int(over))
            guard second >= 100 else { continue }
            sent += made
            refused += over
        }
        #expect((sent - refused) / 300 > 0.9 * capacity)
        #expect(refused / sent < 0.15)
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
        // Without complaints it recovers.
        rate.advance(to: now + .seconds(10))
        rate.advance(to: now + .seconds(100_000_000))
        if ceiling != nil { #expect(rate.limit == nil) }
    }
}
