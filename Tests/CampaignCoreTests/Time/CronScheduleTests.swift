import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded) struct CronScheduleTests {
    private func next(_ cron: String, from text: String) throws -> LocalTime? {
        try CronSchedule(cron).next(from: try #require(LocalTime(text)))
    }

    @Test(
        "The next time is the first time that matches all fields",
        arguments: [
            // 2026-11-23 is a Monday.
            ("0 9 * * mon", "2026-11-23T09:00", "2026-11-23T09:00"),
            ("0 9 * * mon", "2026-11-23T09:01", "2026-11-30T09:00"),
            ("0 9 * * mon", "2026-11-23T08:59:30", "2026-11-23T09:00"),
            ("0 9 * * mon", "2026-11-23T09:00:01", "2026-11-30T09:00"),
            ("*/15 8-10 * * *", "2026-11-23T08:46", "2026-11-23T09:00"),
            ("10-50/20 * * * *", "2026-11-23T08:31", "2026-11-23T08:50"),
            ("10-50/20 * * * *", "2026-11-23T08:51", "2026-11-23T09:10"),
            ("59 23 31 dec *", "2026-12-31T23:59:01", "2027-12-31T23:59"),
            ("0 0 29 2 *", "2097-01-01T00:00", "2104-02-29T00:00"),
            // Sunday is both 0 and 7.
            ("0 12 * * 7", "2026-11-23T00:00", "2026-11-29T12:00"),
            ("0 12 * * 0", "2026-11-23T00:00", "2026-11-29T12:00"),
            ("0 12 * * 6-7", "2026-11-29T12:01", "2026-12-05T12:00"),
            ("0 12 * JAN-Mar TUE,thu", "2026-11-23T00:00", "2027-01-05T12:00"),
            ("@daily", "2026-11-23T00:01", "2026-11-24T00:00"),
            ("@Hourly", "2026-11-23T00:01", "2026-11-23T01:00"),
            ("@weekly", "2026-11-23T00:00", "2026-11-29T00:00"),
            ("@monthly", "2026-11-23T00:00", "2026-12-01T00:00"),
            ("@yearly", "2026-11-23T00:00", "2027-01-01T00:00"),
            ("  0\t9  * * *  ", "2026-11-23T09:01", "2026-11-24T09:00"),
        ])
    func nextTimeIsTheFirstTimeThatMatchesAllFields(_ cron: String, _ from: String, _ next: String)
        throws
    {
        #expect(try self.next(cron, from: from) == LocalTime(next))
    }

    @Test(
        "Day and weekday are combined as in cron",
        arguments: [
            // Both fields are restricted, so a match of either is enough.
            ("0 9 13 * fri", "2026-11-23T00:00", "2026-11-27T09:00"),
            ("0 9 13 * fri", "2026-12-12T00:00", "2026-12-13T09:00"),
            // A field that begins with * is not considered restricted, so both fields must match.
            ("0 9 */2 * fri", "2026-11-23T00:00", "2026-11-27T09:00"),
            ("0 9 */2 * fri", "2026-11-28T00:00", "2026-12-11T09:00"),
            ("0 9 1-7 * */7", "2026-11-23T00:00", "2026-12-06T09:00"),
            ("0 9 29 2 */7", "2026-11-23T00:00", "2032-02-29T09:00"),
        ])
    func dayAndWeekdayAreCombinedAsInCron(_ cron: String, _ from: String, _ next: String) throws {
        #expect(try self.next(cron, from: from) == LocalTime(next))
    }

    @Test(
        "All errors of a cron expression are reported",
        arguments: [
            ("0 9 * *", [.fieldCount(4)]),
            ("0 0 9 * * mon", [.fieldCount(6)]),
            ("", [.fieldCount(0)]),
            ("@noon", [.unknownWord("@noon")]),
            ("@reboot", [.unknownWord("@reboot")]),
            (
                "60 24 0 13 8",
                [
                    .notAValue(.minute, "60"), .notAValue(.hour, "24"), .notAValue(.day, "0"),
                    .notAValue(.month, "13"), .notAValue(.weekday, "8"),
                ]
            ),
            ("*/0 9 * * *", [.notAValue(.minute, "*/0")]),
            ("0 9 * * monday", [.notAValue(.weekday, "monday")]),
            ("0 9 L * ?", [.notAValue(.day, "L"), .notAValue(.weekday, "?")]),
            ("0 9, * * *", [.notAValue(.hour, "9,")]),
            ("0 1/2/3 * * *", [.notAValue(.hour, "1/2/3")]),
            ("0 -9 * * *", [.notAValue(.hour, "-9")]),
            ("0 9 * * mon-fri-sat", [.notAValue(.weekday, "mon-fri-sat")]),
            ("0 22-2 * * *", [.backwards(.hour, "22-2")]),
            ("0 9 * * sat-sun", [.backwards(.weekday, "sat-sun")]),
            ("5/10 * * * *", [.stepWithoutRange(.minute, "5/10", 5)]),
            ("0 0 30 2 *", [.never]),
            ("0 0 31 4,6,9,11 */2", [.never]),
        ] as [(String, [CronError])])
    func allErrorsOfACronExpressionAreReported(_ cron: String, _ errors: [CronError]) {
        do throws(CronErrors) {
            _ = try CronSchedule(cron)
            Issue.record("\(cron) was read.")
        } catch {
            #expect(error.errors == errors)
        }
    }

    @Test("A schedule with a day that never comes still matches by weekday")
    func scheduleWithADayThatNeverComesStillMatchesByWeekday() throws {
        // The 30th of February, or a Monday in February.
        #expect(
            try next("0 0 30 2 mon", from: "2026-11-23T00:00") == LocalTime("2027-02-01T00:00"))
    }

    @Test("The next time of a rare schedule is found quickly")
    func nextTimeOfARareScheduleIsFoundQuickly() throws {
        // The 29th of February is a Saturday every 28 years, but across a year such as 2100 only
        // after 40 years.
        let clock = ContinuousClock()
        let start = clock.now
        for year in 2000...2399 {
            _ = try next("59 23 29 feb */6", from: "\(year)-03-01T00:00")
        }
        #expect(clock.now - start < .seconds(2))
    }

    @Test("The last occurrence within the past year is found")
    func lastOccurrenceWithinThePastYearIsFound() throws {
        let schedule = Schedule(.cron(try CronSchedule("* * * * *")), in: .utc)
        let end = Date(timeIntervalSince1970: 1_800_000_001)
        let start = end.addingTimeInterval(-366 * 86_400)
        #expect(schedule.last(after: start, through: end) == end.addingTimeInterval(-1))
        let rare = Schedule(.cron(try CronSchedule("30 4 1 1 *")), in: .utc)
        // 2027-01-01T04:30:00Z; `end` is in the same month.
        let newYear = Date(timeIntervalSince1970: 1_798_777_800)
        #expect(rare.last(after: start, through: end) == newYear)
        #expect(rare.last(after: newYear, through: end) == nil)
        #expect(rare.last(after: newYear.addingTimeInterval(-1), through: newYear) == newYear)
        #expect(
            rare.last(
                after: start.addingTimeInterval(-40 * 86_400),
                through: newYear.addingTimeInterval(-1))
                == Date(timeIntervalSince1970: 1_767_241_800))
    }

    @Test("A schedule with `at` has one occurrence") func scheduleWithAtHasOneOccurrence() throws {
        let local = try #require(LocalTime("2026-12-01T09:00"))
        let berlin = TimeZoneRules(
            name: "Europe/Berlin", offset: 3_600, rule: ZoneRule("CET-1CEST,M3.5.0,M10.5.0/3"))
        let schedule = Schedule(.at(local), in: berlin)
        let moment = Date(timeIntervalSince1970: 1_796_112_000)
        #expect(schedule.next(after: moment.addingTimeInterval(-1)) == moment)
        #expect(schedule.next(after: moment) == nil)
        #expect(Occurrence.scheduled(moment).text == "2026-12-01T08:00:00Z")
    }

    @Test("Only an occurrence of a schedule has a start time")
    func onlyAnOccurrenceOfAScheduleHasAStartTime() {
        let moment = Date(timeIntervalSince1970: 1_796_112_000)
        #expect(Occurrence.scheduled(moment).scheduled == moment)
        for key in ["once", "2026-12-01", "2026-12-01T08:00Z", "2026-12-01T08:00:00", "Z"] {
            #expect(Occurrence(checked: key).scheduled == nil, "\(key)")
        }
    }
}
