/// Why deliveries were skipped before there was a column for the reason, as SQL.
///
/// This is part of released schema steps, so it never changes.
package enum EarlierSkipReasons {
    /// How the details began, in the order of the reasons' numbers.
    private static let beginnings = [
        "too late", "expired", "capped", "revoked", "not asked for", "forgotten", "fetched",
    ]

    /// The state of skipped deliveries.
    package static let skipped = 6

    /// The reason's number; null for any other detail.
    package static let number: String = {
        let cases = beginnings.enumerated().map { number, text in
            "WHEN substr(detail, 1, \(text.count)) = '\(text)' THEN \(number)"
        }
        return "CASE \(cases.joined(separator: " ")) END"
    }()
}
