package import CampaignCore

/// A device of the local hub, as a devices file names it.
package struct Device: Hashable, Sendable {
    package let user: Username
    package let platform: Platform
    /// Where the push service finds it; nil: the hub makes one up.
    package let handle: String?

    package init(user: Username, platform: Platform, handle: String?) {
        self.user = user
        self.platform = platform
        self.handle = handle
    }
}
