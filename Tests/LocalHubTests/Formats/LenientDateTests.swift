import Foundation
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct LenientDateTests {
    @Test(
        "Every date form that SDKs send is read",
        arguments: [
            ("2026-01-02T03:04:05", 1_767_323_045), ("2026-01-02T03:04:05Z", 1_767_323_045),
            ("2026-01-02T03:04:05.000Z", 1_767_323_045), ("2026-01-02'T'03:04:05", 1_767_323_045),
            ("2026-01-02 03:04:05", 1_767_323_045), ("01/02/2026 03:04:05", 1_767_323_045),
            ("1/2/2026 3:04:05 AM", 1_767_323_045), ("01/02/2026 03:04:05 PM", 1_767_366_245),
            ("01/02/2026 12:00:00 AM", 1_767_312_000), ("2026-01-02T03:04Z", 1_767_323_040),
            ("2026-01-02T04:34:05+01:30", 1_767_323_045),
            ("2026-01-01T22:04:05-0500", 1_767_323_045),
            ("2026-01-02", 1_767_312_000), (" 2026-01-02T03:04:05Z ", 1_767_323_045),
            ("2024-02-29T00:00:00", 1_709_164_800), ("1970-01-01T00:00:00", 0),
            ("1969-12-31T23:59:59Z", -1),
        ] as [(String, Double)])
    func everyDateFormThatSDKsSendIsRead(text: String, seconds: Double) {
        #expect(LenientDate.parse(text)?.timeIntervalSince1970 == seconds)
    }

    @Test("Fractions of a second are preserved") func fractionsOfASecondArePreserved() {
        #expect(LenientDate.parse("1970-01-01T00:00:01.25Z")?.timeIntervalSince1970 == 1.25)
    }

    @Test(
        "An invalid date is refused",
        arguments: [
            "", " ", "soon", "2026", "2026-1", "2026-13-01", "2026-02-29", "2026-04-31T00:00:00",
            "2026-01-02T24:00:00", "2026-01-02T03:60:00", "2026-01-02T03", "2026-01-02T03:04:05+",
            "2026-01-02T03:04:05X", "2026-01-02T03:04:05Z1", "13/01/2026 00:00:00",
            "1/2/26 00:00:00",
            "2026-01-02T13:00:00 PM", "2026-01-02T00:00:00 AM", "٢٠٢٦-01-02", "0000-01-01",
            "\u{FFFD}",
            String(repeating: "2", count: 65),
        ])
    func invalidDateIsRefused(text: String) {
        #expect(LenientDate.parse(text) == nil)
    }

    @Test(
        "Consecutive days are one day apart", arguments: [1_900, 1_999, 2_000, 2_023, 2_024, 2_100])
    func consecutiveDaysAreOneDayApart(year: Int) throws {
        var last = try #require(LenientDate.parse("\(year - 1)-12-31"))
        var days = 0
        for month in 1...12 {
            for day in 1...31 {
                guard let date = LenientDate.parse("\(year)-\(month)-\(day)") else { continue }
                #expect(date.timeIntervalSince(last) == 86_400)
                last = date
                days += 1
            }
        }
        let isLeapYear = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        #expect(days == (isLeapYear ? 366 : 365))
    }
}
