import CampaignCore

/// Who makes a request, proven.
struct Caller: Hashable, Sendable {
    /// How they proved it.
    enum Proof: String, Hashable, Sendable {
        case password
        case token
    }

    let username: Username
    let proof: Proof
}
