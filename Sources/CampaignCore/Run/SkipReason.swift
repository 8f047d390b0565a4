/// Why a delivery was skipped; its detail in store and report begins with it.
package enum SkipReason: String, CaseIterable, Hashable, Sendable {
    /// `finish_within` was over before its turn.
    case tooLate = "too late"
    /// The payload had expired before its turn.
    case expired
    /// The person has had as many pushes as they may get.
    case capped
    /// The payload was taken back.
    case revoked
    /// The run is for the rest of an earlier one, and this delivery is not of that rest.
    case notAskedFor = "not asked for"

    /// The reason with what there is to say about it, as it is written down.
    package func detail(_ text: String) -> String { "\(rawValue): \(text)" }
}
