/// What became of a delivery (contract, section 6).
package enum Outcome: String, CaseIterable, Hashable, Sendable, Codable {
    /// The hub took it: not proof of arrival.
    case accepted
    /// The hub refused it for good.
    case rejected
    /// Its tries or its time ran out while others succeeded.
    case failed
    /// It may have gone out, and the answer was lost.
    case unknown
    /// Left out on purpose during the run.
    case skipped
    /// No outcome yet.
    case notAttempted = "not_attempted"
}
