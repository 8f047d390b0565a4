package import CampaignCore

/// An audience that was planned and is ready to be staged.
package struct PlannedAudience: Sendable {
    package let plan: CampaignPlan
    /// Holds the plan's recipients.
    package let sorter: any AudienceSorter

    package init(plan: CampaignPlan, sorter: any AudienceSorter) {
        self.plan = plan
        self.sorter = sorter
    }
}
