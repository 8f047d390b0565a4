/// What happens to a push whose answer was lost: it may have gone out.
package enum UnknownPolicy: String, CaseIterable, Hashable, Sendable, Codable {
    /// Send it again with the same id; devices treat the second as the first.
    case resend
    /// Leave it, with the outcome `unknown`.
    case hold

    /// The contract's default: nobody is shown a visible message twice.
    package static func standard(for kind: CampaignKind) -> UnknownPolicy {
        kind.isSilent ? .resend : .hold
    }
}
