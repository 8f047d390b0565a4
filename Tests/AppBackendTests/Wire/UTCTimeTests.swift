import Foundation
import TestSupport
import Testing

@testable import AppBackend

/// Times as text.
@Suite(.bounded) struct UTCTimeTests {
    @Test(arguments: [
        (0.0, "1970-01-01T00:00:00.000Z"), (951_782_400, "2000-02-29T00:00:00.000Z"),
        (1_796_112_000.25, "2026-12-01T08:00:00.250Z"), (-1, "1969-12-31T23:59:59.000Z"),
        (4_107_542_399.999, "2100-02-28T23:59:59.999Z"),
    ])
    func aTimeIsWrittenInUTC(seconds: TimeInterval, text: String) {
        #expect(UTCTime.text(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test func itSaysWhatTheSystemSays() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let seconds = TimeInterval(
                Int.random(in: -2_000_000_000...8_000_000_000, using: &generator))
            let date = Date(timeIntervalSince1970: seconds)
            let expected = date.formatted(
                Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            #expect(UTCTime.text(date) == expected)
        }
    }
}
