import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct AlarmTests {
    private let clock = TestClock()

    private func makeAlarm() -> (Alarm, Watched<[Duration]>) {
        let rings = Watched<[Duration]>([])
        let alarm = Alarm(Timeline(clock)) { [clock] in rings.update { $0.append(clock.elapsed) } }
        return (alarm, rings)
    }

    @Test("An alarm set to an earlier time replaces one for a later time")
    func alarmSetToAnEarlierTimeReplacesOneForALaterTime() async throws {
        var (alarm, rings) = makeAlarm()
        clock.hold()
        for time in [10, 3, 5] { alarm.set(for: .seconds(time), at: .zero) }
        clock.release()
        try await rings.wait { !$0.isEmpty }
        alarm.set(for: .seconds(20), at: clock.elapsed)
        try await rings.wait { $0.count == 2 }
        #expect(rings.value == [.seconds(3), .seconds(20)])
    }

    @Test("An alarm rings again when it is set again")
    func alarmRingsAgainWhenItIsSetAgain() async throws {
        var (alarm, rings) = makeAlarm()
        for time in 1...3 {
            alarm.set(for: .seconds(time), at: clock.elapsed)
            try await rings.wait { $0.count == time }
        }
        #expect(rings.value == [.seconds(1), .seconds(2), .seconds(3)])
    }

    @Test("A cancelled alarm does not ring") func cancelledAlarmDoesNotRing() async throws {
        var (alarm, rings) = makeAlarm()
        clock.hold()
        alarm.set(for: .seconds(1), at: .zero)
        alarm.cancel()
        alarm.set(for: .seconds(2), at: .zero)
        clock.release()
        try await rings.wait { !$0.isEmpty }
        #expect(rings.value == [.seconds(2)])
    }
}
