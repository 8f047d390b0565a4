import FoundationEssentials
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct ClockStepTests {
    private let start = TestBench.start

    @Test func aStepIsSeenOnceAndSoIsNoFurtherOne() {
        var step = ClockStep()
        #expect(step.look(at: start, steady: start) == nil)
        #expect(step.look(at: start + 3_601, steady: start + 1) == .seconds(3_600))
        #expect(step.look(at: start + 3_602, steady: start + 2) == nil)
        #expect(step.look(at: start + 3, steady: start + 3) == nil)
    }

    @Test func aStepBackIsSeenToo() {
        var step = ClockStep()
        #expect(step.look(at: start - 6, steady: start) == .seconds(-6))
    }

    @Test func whatTheClockDriftsInADayIsNoStep() {
        var step = ClockStep()
        for second in 0..<86_400 {
            let steady = start + Double(second)
            #expect(step.look(at: steady + Double(second) * 0.0005, steady: steady) == nil)
        }
    }

    @Test(arguments: [
        (7_200, "+2h"), (-5_400, "-1h 30m"), (6, "+6s"), (90_061, "+1d 1h"), (3_661, "+1h 1m"),
    ])
    func aStepIsSaidInItsLargestUnits(seconds: Int, text: String) {
        #expect(
            ClockStep.sentence(.seconds(seconds)).hasPrefix(
                "The clock of this machine was moved by \(text) during the run; "))
    }
}
