import Foundation

/// Dates in the forms that hubs write: with or without fraction and zone, always UTC unless an
/// offset says otherwise.
enum ServiceDate {
    /// The date of a text; nil for the service's word for never, and for what is no date.
    static func parse(_ text: String) -> Date? {
        guard
            let match = text.wholeMatch(
                of:
                    /([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})?/
            ), !text.hasPrefix("9999-")
        else { return nil }
        let zone = match.output.2 ?? "Z"
        // Neither outage nor fault: the pattern leaves only dates such as the 31st of February.
        return try? Date(String(match.output.1) + String(zone), strategy: .iso8601)
    }

    /// A date in UTC: `2026-01-01T00:00:00Z`.
    static func text(_ date: Date) -> String {
        date.formatted(.iso8601)
    }
}
