import FoundationEssentials

/// The times of the hub's XML: ISO 8601 in UTC, with or without a fraction and `Z`.
enum HubTime {
    /// Reads a time to the second.
    ///
    /// - Parameter text: such as `2026-01-02T03:04:05.1234567Z`.
    /// - Returns: nil when it is none.
    static func read(_ text: String) -> Date? {
        guard text.utf8.count <= 40,
            let match = text.wholeMatch(
                of: /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|\+00:00)?/)
        else { return nil }
        // Whatever is not a date of the calendar is none.
        return try? Date("\(match.1)Z", strategy: .iso8601)
    }
}
