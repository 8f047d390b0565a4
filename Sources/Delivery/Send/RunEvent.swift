import CampaignCore

/// What happens to a run while it is worked on.
enum RunEvent: Sendable {
    /// Time has come to look around.
    case alarm
    /// The process was asked to end.
    case cancelled
    case results([PushResult], page: Int)
    /// The sender is done with a page.
    case sent(page: Int)
}
