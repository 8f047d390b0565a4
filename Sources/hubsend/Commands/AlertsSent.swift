import CampaignCore
import Storage

/// How much of a run of alerts was shown before it was ended: that cannot be taken back.
struct AlertsSent {
    private let all: Int
    private let sent: Int
    private let maybe: Int

    /// Counts them; nil when the run's pushes are no alerts, or it is not there.
    ///
    /// - Throws: what the store throws.
    init?(of id: RunID, in store: SQLiteStore) async throws {
        guard let run = try await store.run(id), !run.kind.isSilent else { return nil }
        let outcomes = try await store.outcomes(id)
        all = run.deliveries
        sent = outcomes[.accepted]
        maybe = outcomes[.unknown]
    }

    /// How many were sent, of how many, as a sentence that goes on after a colon.
    var sentence: String {
        let alerts = Figures.count(all, "alert", "alerts")
        guard sent + maybe > 0 else { return "none of its \(alerts) was sent." }
        let some =
            "\(Figures.count(sent)) of its \(alerts) \(sent == 1 ? "was" : "were") sent already"
        let rest = maybe == 0 ? "" : ", \(Figures.count(maybe)) may have been,"
        return "\(some)\(rest) and cannot be taken back."
    }
}
