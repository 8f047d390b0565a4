package import CampaignCore

/// What a campaign would send on one platform.
package struct PlatformPlan: Sendable {
    package let platform: Platform
    /// How many people get a push on it.
    package let recipients: Int
    /// The largest body over the audience; 0 when no body could be made.
    package let worstBytes: Int
    /// The most bytes the platform takes.
    package let limit: Int
    /// The first recipient's push, with ``CampaignCore/NotificationID/placeholder`` as its id; nil when there is nobody, or a value
    /// of theirs is missing.
    package let sample: PushPage?

    package init(
        platform: Platform, recipients: Int, worstBytes: Int, limit: Int, sample: PushPage?
    ) {
        self.platform = platform
        self.recipients = recipients
        self.worstBytes = worstBytes
        self.limit = limit
        self.sample = sample
    }
}
