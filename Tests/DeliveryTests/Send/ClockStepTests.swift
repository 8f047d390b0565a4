import FoundationEssentials
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct ClockStepTests {
    private let start = TestBench.start

    @Test("Only the first step of the clock is reported")
    func onlyTheFirstStepOfTheClockIsReported() {
        var step = ClockStep()
        #expect(step.check(at: start, steady: start) == nil)
        #expect(step.check(at: start + 3_601, steady: start + 1) == .seconds(3_600))
        #expect(step.check(at: start + 3_602, steady: start + 2) == nil)
        #expect(step.check(at: start + 3, steady: start + 3) == nil)
    }

    @Test("A step backwards is noticed") func stepBackwardsIsNoticed() {
        var step = ClockStep()
        #expect(step.check(at: start - 6, steady: start) == .seconds(-6))
    }

    @Test("A clock that drifts for a day is not reported as a step")
    func clockThatDriftsForADayIsNotReportedAsAStep() {
        var step = ClockStep()
        for second in 0..<86_400 {
            let steady = start + Double(second)
            #expect(step.check(at: steady + Double(second) * 0.0005, steady: steady) == nil)
        }
    }

    @Test(
        "A clock step is reported in its largest units",
        arguments: [
            (7_200, "+2h"), (-5_400, "-1h 30m"), (6, "+6s"), (90_061, "+1d 1h"), (3_661, "+1h 1m"),
        ])
    func clockStepIsReportedInItsLargestUnits(seconds: Int, text: String) {
        #expect(
            ClockStep.sentence(.seconds(seconds)).hasPrefix(
                "The clock of this machine was changed by \(text) during the run; "))
    }
}
