import Foundation

/// Times as the service writes them.
enum ServiceTime {
    /// A time in UTC to the second: `2026-01-01T00:00:00Z`.
    static func seconds(_ time: Date) -> String {
        time.formatted(.iso8601)
    }

    /// A time in UTC to the millisecond: `2026-01-01T00:00:00.000Z`.
    static func milliseconds(_ time: Date) -> String {
        time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// A time in UTC with seven digits: `2026-01-01T00:00:00.1234567Z`.
    ///
    /// - Parameters:
    ///   - time: the time, to a few tenths of a microsecond.
    ///   - ticks: the fraction of its second in tenths of a microsecond; nil: the time's own.
    /// - Returns: the text.
    static func sevenDigits(_ time: Date, ticks: Int? = nil) -> String {
        let since = time.timeIntervalSince1970
        let ticks = ticks ?? min(Int((since - since.rounded(.down)) * 10_000_000), 9_999_999)
        let whole = (since - Double(ticks) / 10_000_000).rounded()
        let digits = String(ticks)
        return seconds(Date(timeIntervalSince1970: whole)).dropLast() + "."
            + String(repeating: "0", count: 7 - digits.count) + digits + "Z"
    }
}
