import Foundation

/// Reads and writes dates as hubs write them: with or without a fraction and time zone, and in UTC
/// unless there is an offset.
enum ServiceDate {
    /// Reads a date; also returns nil for the date that means "never".
    static func parse(_ text: String) -> Date? {
        guard
            let match = text.wholeMatch(
                of:
                    /([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})?/
            ), !text.hasPrefix("9999-")
        else { return nil }
        let zone = match.output.2 ?? "Z"
        // This fails only for dates such as 31 February, which the pattern allows.
        return try? Date(String(match.output.1) + String(zone), strategy: .iso8601)
    }

    /// Writes a date such as `2026-01-01T00:00:00Z`.
    static func text(_ date: Date) -> String {
        date.formatted(.iso8601)
    }
}
