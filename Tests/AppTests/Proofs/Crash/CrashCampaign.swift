struct CrashCampaign: Sendable {
    enum Kind: Sendable {
        /// A silent push that is the same for everybody.
        case shared
        /// A silent push with a different ID for each person.
        case personal
        /// Like `shared`, but with several people per request.
        case grouped
        case alert
    }

    static let platforms = ["apns", "fcm"]

    let name: String
    let kind: Kind

    private var recipientsPerPush: Int { kind == .grouped ? 4 : 1 }
    /// Requests per second, so that a run of 120 deliveries takes more than a second.
    private var rate: Int { 100 / recipientsPerPush }

    /// The text of the alert, which is unique to the campaign.
    var message: String { "News of \(name)." }

    /// The campaign file; a run claims half a second of sending at a time, or a tenth for an alert.
    ///
    /// As a result, when a run is killed, some pages are done and others are not.
    var text: String {
        let payload =
            switch kind {
            case .shared, .grouped: "text: There is news."
            case .personal: #"text: "News for {{town}}""#
            case .alert: "message: \(message)"
            }
        return """
            campaign: \(name)
            kind: \(kind == .alert ? "alert" : "secure")
            platforms: [\(Self.platforms.joined(separator: ", "))]
            audience: { files: [people.csv] }
            payload: { \(payload) }
            delivery: { rate: \(rate)/s, concurrency: 16, recipients_per_push: \(recipientsPerPush) }

            """
    }

    /// The text in the push for a row: its payload's ID, or the campaign's message for an alert.
    func mark(of row: OutcomeRow) -> String {
        kind == .alert ? message : row.notification
    }
}
