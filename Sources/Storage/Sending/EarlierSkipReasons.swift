/// Why deliveries were skipped before there was a column for it, as SQL; a part of released steps
/// of the schemas, so it never changes.
package enum EarlierSkipReasons {
    /// How their details began, in the order of the numbers.
    private static let beginnings = [
        "too late", "expired", "capped", "revoked", "not asked for", "forgotten", "fetched",
    ]

    /// The state of skipped deliveries.
    package static let skipped = 6

    /// The reason's number; null for another detail.
    package static let number: String = {
        let cases = beginnings.enumerated().map { number, text in
            "WHEN substr(detail, 1, \(text.count)) = '\(text)' THEN \(number)"
        }
        return "CASE \(cases.joined(separator: " ")) END"
    }()
}
