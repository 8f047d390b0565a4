import Foundation
import TestSupport
import Testing

@testable import CampaignOperations

/// Up to when `hubsend schedule --until` lists.
@Suite(.bounded) struct ScheduleEndTests {
    private static let now = Date(timeIntervalSince1970: 1_795_420_800)

    @Test(
        arguments: [
            ("7d", now + 7 * 86_400), ("90m", now + 5_400),
            // All of the day, in UTC.
            ("2026-12-01", Date(timeIntervalSince1970: 1_796_169_599)),
            ("2026-12-01T09:00:00Z", Date(timeIntervalSince1970: 1_796_115_600)),
        ] as [(String, Date)])
    func aTimeIsReadInEachForm(text: String, date: Date) throws {
        #expect(try #require(ScheduleEnd(text)).date(from: Self.now) == date)
    }

    @Test(arguments: ["", "soon", "7", "2026-13-01", "0d"])
    func whatIsNoTimeIsRefused(text: String) {
        #expect(ScheduleEnd(text) == nil)
    }
}
