package import CampaignCore

/// An audience that was planned and is ready to be staged.
package struct PlannedAudience: Sendable {
    package let plan: CampaignPlan
    /// Gives the plan's recipients.
    package let people: any AudiencePages
    /// The earlier run whose rest it is; nil: it is none.
    package let rest: RestOfRun?

    package init(plan: CampaignPlan, people: any AudiencePages, rest: RestOfRun? = nil) {
        self.plan = plan
        self.people = people
        self.rest = rest
    }
}
