import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct RequestPacerTests {
    private let start = ContinuousClock.now

    @Test func startsAreTheIntervalApart() {
        var pacer = RequestPacer()
        let starts = (0..<4).map { _ in pacer.takeStart(interval: .milliseconds(2), now: start) }

        #expect(
            starts == [0, 2, 4, 6].map { start + .milliseconds($0) })
    }

    @Test func unusedTimeIsNotSavedUp() {
        var pacer = RequestPacer()
        _ = pacer.takeStart(interval: .milliseconds(2), now: start)
        let later = start + .seconds(10)

        #expect(pacer.takeStart(interval: .milliseconds(2), now: later) == later)
        #expect(
            pacer.takeStart(interval: .milliseconds(2), now: later) == later + .milliseconds(2))
    }
}
