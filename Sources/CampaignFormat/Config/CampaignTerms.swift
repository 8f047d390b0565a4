/// What a config says about all campaigns beneath it: what binds them, and what they share.
package struct CampaignTerms: Sendable {
    package var limits: CampaignLimits
    /// nil where the config has no `defaults`.
    package var defaults: CampaignDefaults?

    package init(limits: CampaignLimits = CampaignLimits(), defaults: CampaignDefaults? = nil) {
        self.limits = limits
        self.defaults = defaults
    }
}
