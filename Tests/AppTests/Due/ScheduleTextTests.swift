import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct ScheduleTextTests {
    /// Monday, 2026-11-23T08:00:00Z.
    private let now = Date(timeIntervalSince1970: 1_795_420_800)
    private let berlin = TimeZoneRules(
        name: "Europe/Berlin", offset: 3_600, rule: ZoneRule("CET-1CEST,M3.5.0,M10.5.0/3"))

    private func weekly(_ upcoming: Int) throws -> CampaignSchedule {
        let schedule = Schedule(.cron(try CronSchedule("30 9 * * mon")), in: berlin)
        var dates: [Date] = []
        for _ in 0..<upcoming {
            dates.append(try #require(schedule.next(after: dates.last ?? now)))
        }
        return CampaignSchedule(
            campaign: "weekly", path: "weekly.yaml", schedule: schedule, upcoming: dates)
    }

    private func once(_ text: String) throws -> CampaignSchedule {
        let schedule = Schedule(.at(try #require(LocalTime(text))), in: .utc)
        return CampaignSchedule(
            campaign: "once", path: "a/once.yaml", schedule: schedule,
            upcoming: [schedule.next(after: now)].compactMap(\.self))
    }

    @Test("The next occurrence is shown first, and past schedules last")
    func nextOccurrenceIsShownFirstAndPastSchedulesLast() throws {
        let text = Document(schedules: [try once("2026-11-22T09:00"), try weekly(2)], at: now)
            .text()
        #expect(
            text == """
                CAMPAIGN  LOCAL TIME                   ZONE           UTC                           IN
                weekly    Mon 2026-11-23 09:30 +01:00  Europe/Berlin  2026-11-23 08:30:00 UTC  30m 00s
                weekly    Mon 2026-11-30 09:30 +01:00  Europe/Berlin  2026-11-30 08:30:00 UTC   7d 00h
                once      Sun 2026-11-22 09:00 +00:00  UTC            2026-11-22 09:00:00 UTC     over

                """)
    }

    @Test("For an empty list, a sentence is printed") func forAnEmptyListASentenceIsPrinted() throws
    {
        #expect(Document(schedules: [], at: now).text() == "No campaign has a schedule.\n")
        #expect(
            Document(schedules: [try weekly(0)], at: now).text()
                == "No campaign starts before that time.\n")
    }

    @Test("Programs get the same list as a JSON array")
    func programsGetTheSameListAsAJSONArray() throws {
        let line = try ScheduleJSON.list([try weekly(1), try once("2026-11-22T09:00")]).line()
        #expect(
            String(decoding: line, as: UTF8.self)
                == #"[{"campaign":"weekly","cron":"30 9 * * mon","file":"weekly.yaml","occurrences":[{"local":"2026-11-23T09:30:00+01:00","utc":"2026-11-23T08:30:00Z"}],"start_deadline":3600,"time_zone":"Europe/Berlin"},"#
                + #"{"at":"2026-11-22T09:00:00","campaign":"once","file":"a/once.yaml","occurrences":[],"start_deadline":3600,"time_zone":"UTC"}]"#
                + "\n")
    }
}
