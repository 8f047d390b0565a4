import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded) struct UTCTimeTests {
    @Test(
        "A time is written in UTC with whole seconds",
        arguments: [
            (0, "1970-01-01T00:00:00Z"),
            (0.999, "1970-01-01T00:00:00Z"),
            (-0.5, "1969-12-31T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_796_115_600, "2026-12-01T09:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
            (1e300, "9999-12-31T23:59:59Z"),
            (-Double.infinity, "0000-01-01T00:00:00Z"),
            (Double.nan, "0000-01-01T00:00:00Z"),
        ] as [(Double, String)])
    func timeIsWrittenInUTCWithWholeSeconds(seconds: Double, text: String) {
        #expect(UTCTime.text(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test("The zone's time is shown after UTC, with its date if that differs")
    func zonesTimeIsShownAfterUTCWithItsDateIfThatDiffers() {
        let date = Date(timeIntervalSince1970: 1_796_115_600)
        let berlin = TimeZoneRules(name: "Europe/Berlin", offset: 3_600)
        #expect(
            UTCTime.readable(date, in: berlin) == "2026-12-01 09:00:00 UTC (10:00 Europe/Berlin)")
        let far = TimeZoneRules(name: "Pacific/Apia", offset: 54_000 - 1_800)
        #expect(
            UTCTime.readable(date + 43_200, in: far)
                == "2026-12-01 21:00:00 UTC (2026-12-02 11:30 Pacific/Apia)")
        for zone in [nil, TimeZoneRules(name: "Etc/UTC", offset: 0)] {
            #expect(UTCTime.readable(date, in: zone) == "2026-12-01 09:00:00 UTC")
        }
        #expect(UTCTime.readable(Date(timeIntervalSince1970: .nan), in: berlin).hasPrefix("0000-"))
    }

    @Test(
        "A precise time is rounded to the nearest millisecond",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (1_796_112_000.25, "2026-12-01T08:00:00.250Z"),
            (-1, "1969-12-31T23:59:59.000Z"),
            (-0.5, "1969-12-31T23:59:59.500Z"),
            (4_107_542_399.999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_399.9996, "2100-03-01T00:00:00.000Z"),
            (1e300, "9999-12-31T23:59:59.999Z"),
            (Double.nan, "0000-01-01T00:00:00.000Z"),
        ] as [(Double, String)])
    func preciseTimeIsRoundedToTheNearestMillisecond(seconds: Double, text: String) {
        #expect(UTCTime.preciseText(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test("Times throughout 400 years match those of Foundation")
    func timesThroughout400YearsMatchThoseOfFoundation() {
        let dates = stride(from: -6_000_000_000.0, to: 6_700_000_000, by: 86_399)
            .map { Date(timeIntervalSince1970: $0) }
        let wrong = dates.first { UTCTime.text($0) != $0.formatted(.iso8601) }
        #expect(wrong == nil)
    }

    @Test("Times with milliseconds match those of Foundation")
    func timesWithMillisecondsMatchThoseOfFoundation() {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let dates = stride(from: -2_000_000_000.0, to: 8_000_000_000, by: 4_999_999)
            .map { Date(timeIntervalSince1970: $0) }
        let wrong = dates.first { UTCTime.preciseText($0) != $0.formatted(style) }
        #expect(wrong == nil)
    }

    @Test("A readable time ends with UTC") func readableTimeEndsWithUTC() {
        #expect(
            UTCTime.readable(Date(timeIntervalSince1970: 1_796_115_600))
                == "2026-12-01 09:00:00 UTC")
    }
}
