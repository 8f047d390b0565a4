import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct RateMeterTests {
    @Test("The rate is measured over the last five seconds")
    func rateIsMeasuredOverTheLastFiveSeconds() {
        var meter = RateMeter()
        meter.add(1_000, at: .seconds(1))
        meter.add(100, at: .seconds(9))
        meter.add(100, at: .seconds(10))
        #expect(meter.rate(at: .seconds(10)) == 40)
        #expect(meter.rate(at: .seconds(60)) == 0)
    }

    @Test("A short run is measured over its actual duration")
    func shortRunIsMeasuredOverItsActualDuration() {
        var meter = RateMeter()
        meter.add(500, at: .seconds(1))
        #expect(meter.rate(at: .seconds(1)) == 500)
    }

    @Test("Pushes that are sent in quick succession are all counted")
    func pushesThatAreSentInQuickSuccessionAreAllCounted() {
        var meter = RateMeter()
        for millisecond in 0..<5_000 { meter.add(2, at: .milliseconds(millisecond)) }
        #expect(meter.rate(at: .seconds(5)) == 2_000)
    }
}
