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
}
