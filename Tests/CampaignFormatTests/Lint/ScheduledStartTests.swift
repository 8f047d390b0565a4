import Foundation
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct ScheduledStartTests {
    private func missed(_ schedule: String, at now: String) throws -> Diagnostic? {
        let loaded = try TemporaryFolder().load(
            TemporaryFolder.campaign(rest: "schedule: { \(schedule) }"))
        #expect(!loaded.diagnostics.hasErrors)
        return loaded.missedStart(at: try Date(now, strategy: .iso8601))
    }

    @Test("A start in the past produces a warning") func startInThePastProducesAWarning() throws {
        let found = try #require(
            try missed("at: 2026-03-01T09:00, time_zone: UTC", at: "2026-03-03T11:00:00Z"))
        #expect(found.rule == "invalid-time" && found.severity == .warning)
        #expect(found.range.line == 6 && found.range.column == 17)
        #expect(
            found.message.text
                == """
                This start was 2d 02h ago. `run --due` skips a start that is more than 1h late; `run` sends the campaign \
                immediately.
                """)
    }

    /// These starts are within the deadline, which is computed in the schedule's zone with its
    /// summer time.
    @Test(
        "A start has been missed once its deadline has passed",
        arguments: [
            ("at: 2026-03-01T09:00, time_zone: UTC", "2026-03-01T10:00:00Z", false),
            ("at: 2026-03-01T09:00, time_zone: UTC", "2026-03-01T10:00:01Z", true),
            (
                "at: 2026-03-01T09:00, time_zone: UTC, start_deadline: 2d", "2026-03-03T09:00:00Z",
                false
            ),
            (
                "at: 2026-03-01T09:00, time_zone: UTC, start_deadline: 2d", "2026-03-03T09:00:01Z",
                true
            ),
            ("at: 2026-03-01T09:00, time_zone: Europe/Berlin", "2026-03-01T09:00:01Z", true),
            ("at: 2026-07-01T09:00, time_zone: Europe/Berlin", "2026-07-01T08:00:01Z", true),
            ("at: 2026-07-01T09:00, time_zone: Europe/Berlin", "2026-07-01T08:00:00Z", false),
            ("at: 2026-02-28T23:59, time_zone: UTC", "2026-03-01T00:59:01Z", true),
            ("cron: \"0 9 * * *\", time_zone: UTC", "2026-03-01T10:00:01Z", false),
        ])
    func startHasBeenMissedOnceItsDeadlineHasPassed(
        _ schedule: String, _ now: String, _ isOver: Bool
    ) throws {
        #expect(try (missed(schedule, at: now) != nil) == isOver)
    }
}
