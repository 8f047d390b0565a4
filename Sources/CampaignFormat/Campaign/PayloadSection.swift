import CampaignCore

/// The key `payload`, read.
struct PayloadSection {
    /// nil when it is not good.
    let payload: Payload?
    /// All of its texts that could have variables, in order.
    let texts: [LocatedTemplate]
}
