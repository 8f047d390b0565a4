import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct CalendarTests {
    @Test("Every day number converts to a date and back")
    func everyDayNumberConvertsToADateAndBack() {
        // All days of the 800 years before and after 1970, which include every kind of leap year.
        var before = CalendarDay(number: -150_001)
        var wrong: [Int] = []
        for number in -150_000...146_097 {
            let day = CalendarDay(number: number)
            let isNext =
                day.day == before.day + 1 && day.month == before.month && day.year == before.year
                || day.day == 1 && day.month == before.month % 12 + 1
                    && before.day == CalendarDay.length(ofMonth: before.month, in: before.year)
            if day.number != number || day.weekday != (before.weekday + 1) % 7 || !isNext {
                wrong.append(number)
            }
            before = day
        }
        #expect(wrong.isEmpty)
    }

    @Test(
        "Day numbers match the calendar",
        arguments: [
            (0, 1970, 1, 1, 4), (-1, 1969, 12, 31, 3), (11_016, 2000, 2, 29, 2),
            (47_540, 2100, 2, 28, 0), (47_541, 2100, 3, 1, 1), (20_780, 2026, 11, 23, 1),
        ])
    func dayNumbersMatchTheCalendar(number: Int, year: Int, month: Int, day: Int, weekday: Int) {
        #expect(CalendarDay(number: number) == CalendarDay(year: year, month: month, day: day))
        #expect(CalendarDay(number: number).weekday == weekday)
    }

    @Test("A date that does not exist is refused") func dateThatDoesNotExistIsRefused() {
        #expect(CalendarDay(year: 2100, month: 2, day: 29) == nil)
        #expect(CalendarDay(year: 2026, month: 4, day: 31) == nil)
        #expect(CalendarDay(year: 2026, month: 13, day: 1) == nil)
        #expect(CalendarDay(year: 2026, month: 1, day: 0) == nil)
    }

    @Test(
        "A malformed local time is refused",
        arguments: [
            "2026-12-01", "2026-12-01 09:00", "2026-12-01T9:00", "2026-13-01T09:00",
            "2026-02-29T09:00", "2026-12-01T24:00", "2026-12-01T09:60", "2026-12-01T09:00:60",
            "2026-12-01T09:00Z", "",
        ])
    func malformedLocalTimeIsRefused(_ text: String) {
        #expect(LocalTime(text) == nil)
    }

    @Test("A local time is read with and without seconds")
    func localTimeIsReadWithAndWithoutSeconds() throws {
        let time = try #require(LocalTime("2026-12-01T09:05"))
        #expect(time.day == CalendarDay(year: 2026, month: 12, day: 1))
        #expect(time.minuteOfDay == 9 * 60 + 5)
        #expect(time.wholeMinute == time)
        let late = try #require(LocalTime("2026-12-31T23:59:01"))
        #expect(late.wholeMinute == LocalTime("2027-01-01T00:00"))
    }
}
