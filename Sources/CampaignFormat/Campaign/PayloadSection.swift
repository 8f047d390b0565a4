import CampaignCore

/// The key `payload`, read.
struct PayloadSection {
    /// nil when it is not good.
    let payload: Payload?
    /// All variables of its texts, in order.
    let variables: [LocatedTemplate.Variable]
}
