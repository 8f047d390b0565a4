import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct WrittenTimeTests {
    @Test(
        "A timestamp is parsed",
        arguments: [
            ("1970-01-01T00:00:00Z", 0.0), ("2026-12-01T09:00:00Z", 1_796_115_600),
            ("2026-12-01t10:00:00+01:00", 1_796_115_600),
            ("2026-12-01 03:30:00-05:30", 1_796_115_600),
            ("2026-12-01T09:00:00.25z", 1_796_115_600.25), ("2000-02-29T00:00:00Z", 951_782_400),
            ("1969-12-31T23:59:60Z", 0), ("0000-01-01T00:00:00Z", -62_167_219_200),
        ])
    func timestampIsParsed(text: String, seconds: Double) throws {
        let time = try #require(WrittenTime(text))
        #expect(time.start == Date(timeIntervalSince1970: seconds))
        #expect(time.end == time.start)
    }

    @Test("A date means the whole day in UTC") func dateMeansTheWholeDayInUTC() throws {
        let day = try #require(WrittenTime("2026-12-01"))
        #expect(UTCTime.text(day.start) == "2026-12-01T00:00:00Z")
        #expect(UTCTime.text(day.end) == "2026-12-02T00:00:00Z")
    }

    @Test(
        "Days and durations are relative to now, in the past or the future",
        arguments: [
            // This is a Tuesday.
            ("7d", "2026-11-24T09:00:00Z", "2026-12-08T09:00:00Z"),
            ("90m", "2026-12-01T07:30:00Z", "2026-12-01T10:30:00Z"),
            ("today", "2026-12-01T00:00:00Z", "2026-12-01T00:00:00Z"),
            ("Yesterday", "2026-11-30T00:00:00Z", "2026-11-30T00:00:00Z"),
            ("tomorrow", "2026-12-02T00:00:00Z", "2026-12-02T00:00:00Z"),
            ("monday", "2026-11-30T00:00:00Z", "2026-12-07T00:00:00Z"),
            ("tue", "2026-12-01T00:00:00Z", "2026-12-01T00:00:00Z"),
            ("wednesday", "2026-11-25T00:00:00Z", "2026-12-02T00:00:00Z"),
            ("2026-12-05", "2026-12-05T00:00:00Z", "2026-12-05T00:00:00Z"),
        ])
    func daysAndDurationsAreRelativeToNowInThePastOrTheFuture(
        text: String, back: String, ahead: String
    )
        throws
    {
        let now = Date(timeIntervalSince1970: 1_796_115_600)
        for (direction, start) in [(WrittenTime.Direction.back, back), (.ahead, ahead)] {
            let time = try #require(WrittenTime(text, from: now, leading: direction))
            #expect(UTCTime.text(time.start) == start)
            let isDay = !text.contains(/^[0-9]+[dm]$/)
            #expect(time.end == time.start + (isDay ? 86_400 : 0))
            #expect(time.last == time.start + (isDay ? 86_399 : 0))
        }
    }

    @Test(
        "A word that is not a time is refused",
        arguments: ["soon", "7", "0d", "monda", "mo", "last week", "2026-13-01"])
    func wordThatIsNotATimeIsRefused(text: String) {
        #expect(WrittenTime(text, from: Date(), leading: .back) == nil)
    }

    @Test(
        "Text that is not a time is refused",
        arguments: [
            "", "someday", "2026-12", "2026-13-01", "2026-00-10", "2026-02-29", "2026-04-31",
            "2026-12-00", "2026-12-01T09:00Z", "2026-12-01T09:00:00", "2026-12-01T24:00:00Z",
            "2026-12-01T09:60:00Z", "2026-12-01T09:00:61Z", "2026-12-01T09:00:00+24:00",
            "2026-12-01T09:00:00+01", " 2026-12-01", "２０２６-12-01", "1796115600",
        ])
    func textThatIsNotATimeIsRefused(text: String) {
        #expect(WrittenTime(text) == nil)
    }

    @Test(
        "A formatted time can be read back",
        arguments: [0, 86_400, 951_782_400, 1_796_115_600, 4_102_444_799, 253_402_300_799])
    func formattedTimeCanBeReadBack(seconds: Int) throws {
        let date = Date(timeIntervalSince1970: Double(seconds))
        #expect(try #require(WrittenTime(UTCTime.text(date))).start == date)
    }
}
