import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct OccurrenceTests {
    /// The next occurrences after an instant, all in UTC.
    private func next(
        _ count: Int, of cron: String, in zone: String, after text: String
    ) throws -> [String] {
        let schedule = Schedule(
            .cron(try CronSchedule(cron)), in: try SystemTimeZones().rules(of: zone))
        var date = Date(timeIntervalSince1970: Double(try #require(LocalTime(text)).seconds))
        var found: [String] = []
        for _ in 0..<count {
            date = try #require(schedule.next(after: date))
            found.append(String(UTCTime.text(date).prefix(16)))
        }
        return found
    }

    @Test(
        "A clock change neither loses nor repeats a start",
        arguments: [
            // 02:00 to 03:00 are skipped: 02:30 becomes 03:00, which is 01:00 UTC.
            (
                "30 2 * * *", "Europe/Berlin", "2026-03-28T02:00",
                ["2026-03-29T01:00", "2026-03-30T00:30"]
            ),
            // 02:00 to 03:00 occur twice: the first 02:30, in summer time, is used.
            (
                "30 2 * * *", "Europe/Berlin", "2026-10-24T02:00",
                ["2026-10-25T00:30", "2026-10-26T01:30"]
            ),
            // All skipped times form a single occurrence, together with the time 03:00.
            (
                "0,30 2,3 * * *", "Europe/Berlin", "2026-03-29T00:00",
                ["2026-03-29T01:00", "2026-03-29T01:30", "2026-03-30T00:00"]
            ),
            // Each time of the day is used once: nothing starts between the first 02:45 and 03:00.
            (
                "*/15 * * * *", "Europe/Berlin", "2026-10-25T00:30",
                ["2026-10-25T00:45", "2026-10-25T02:00"]
            ),
            ("30 2 * * *", "America/New_York", "2026-03-08T00:00", ["2026-03-08T07:00"]),
            ("30 1 * * *", "America/New_York", "2026-11-01T00:00", ["2026-11-01T05:30"]),
            // Clocks change by half an hour: 02:00 to 02:30 are skipped in October, and 01:30 to
            // 02:00 occur twice in April.
            ("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00", ["2026-10-03T15:30"]),
            (
                "45 1 * * *", "Australia/Lord_Howe", "2026-04-04T00:00",
                ["2026-04-04T14:45", "2026-04-05T15:15"]
            ),
            ("0 9 * * *", "Asia/Kathmandu", "2026-11-23T03:15", ["2026-11-24T03:15"]),
            // The 30th of December 2011 was skipped: its start came when the 31st began, at 10:00
            // UTC.
            (
                "0 9 * * *", "Pacific/Apia", "2011-12-29T00:00",
                ["2011-12-29T19:00", "2011-12-30T10:00", "2011-12-30T19:00"]
            ),
            // Ramadan 2018 ended on the 17th of June: at 02:00, clocks returned to summer time.
            ("30 2 * * *", "Africa/Casablanca", "2018-06-17T00:00", ["2018-06-17T02:00"]),
        ] as [(String, String, String, [String])])
    func clockChangeNeitherLosesNorRepeatsAStart(
        _ cron: String, _ zone: String, _ after: String, _ times: [String]
    ) throws {
        #expect(try next(times.count, of: cron, in: zone, after: after) == times)
    }

    /// The times that a wall clock shows for the first time in a given minute.
    private struct Sight {
        let instant: Int
        /// There are several of these times if the clocks were put forward.
        let times: [(day: CalendarDay, hour: Int, minute: Int)]
    }

    /// A wall clock, minute by minute, without the minutes that repeat after the clock is put back.
    private func watched(_ zone: TimeZoneRules, from start: Int, to end: Int) -> [Sight] {
        var seen = zone.local(at: start - 60).seconds
        var sights: [Sight] = []
        for instant in stride(from: start, through: end, by: 60) {
            let shown = zone.local(at: instant).seconds
            guard shown > seen else { continue }
            let times = stride(from: seen + 60, through: shown, by: 60).map { seconds in
                let time = LocalTime(seconds: seconds)
                let minute = time.minuteOfDay
                return (day: time.day, hour: minute / 60, minute: minute % 60)
            }
            sights.append(Sight(instant: instant, times: times))
            seen = shown
        }
        return sights
    }

    @Test(
        "Occurrences match those of a simulated wall clock",
        arguments: [
            "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
            "Pacific/Apia", "Africa/Casablanca",
        ])
    func occurrencesMatchThoseOfASimulatedWallClock(_ name: String) throws {
        let zone = try SystemTimeZones().rules(of: name)
        let crons: [(String, (CalendarDay, Int, Int) -> Bool)] = [
            ("*/7 * * * *", { $2.isMultiple(of: 7) }),
            ("30 1-3 * * *", { (1...3).contains($1) && $2 == 30 }),
            ("15 0,2 * * sun", { $0.weekday == 0 && ($1 == 0 || $1 == 2) && $2 == 15 }),
            ("0 3 1-7 * sat", { ($0.day <= 7 || $0.weekday == 6) && $1 == 3 && $2 == 0 }),
        ]
        // The days around each clock change from 2010 to 2014, and days far ahead, beyond the
        // table.
        for years in [1_262_304_000..<1_388_534_400, 2_524_608_000..<2_556_144_000] {
            for day in stride(from: years.lowerBound, to: years.upperBound, by: 86_400)
            where zone.offset(at: day) != zone.offset(at: day + 86_400) {
                let (start, end) = (day - 43_200, day + 3 * 43_200)
                // The wall clock is computed once for all expressions, because querying the zone
                // for each minute is slow.
                let sights = watched(zone, from: start, to: end)
                for (text, isMeant) in crons {
                    let schedule = Schedule(.cron(try CronSchedule(text)), in: zone)
                    var found: [Int] = []
                    var date = Date(timeIntervalSince1970: Double(start - 1))
                    while let next = schedule.next(after: date),
                        next.timeIntervalSince1970 <= Double(end)
                    {
                        found.append(Int(next.timeIntervalSince1970))
                        date = next
                    }
                    // The expected times are computed by a function instead of by cron.
                    let expected = sights.filter { sight in
                        sight.times.contains { isMeant($0.day, $0.hour, $0.minute) }
                    }
                    #expect(found == expected.map(\.instant), "\(text) \(day)")
                }
            }
        }
    }
}
