package import CampaignCore
package import FoundationEssentials

/// The pushes that chosen people would get, made as a run makes them.
package struct SamplePushes: Sendable {
    private let pages: [Platform: PushPage]

    /// Makes pushes with ``CampaignCore/NotificationID/placeholder`` as their id.
    ///
    /// - Parameter members: in name order. If the payload is the same for all, they share the first
    ///   request; otherwise only the first is looked at.
    package init(
        of campaign: Campaign, to members: [AudienceMember], now: Date
    ) throws(MissingVariable) {
        guard !members.isEmpty else {
            pages = [:]
            return
        }
        var survey = RecipientSurvey(campaign, now: now)
        if let first = members.first, campaign.payload.isPersonal {
            try survey.visit(first)
        } else {
            try survey.visitShared(by: members)
        }
        let everywhere = campaign.platforms.map { ($0, members.count) }
        let plans = survey.platforms(for: Dictionary(uniqueKeysWithValues: everywhere))
        pages = Dictionary(
            uniqueKeysWithValues: plans.compactMap { plan in
                plan.sample.map { (plan.platform, $0) }
            })
    }

    /// nil if there is nobody.
    package subscript(platform: Platform) -> PushPage? { pages[platform] }
}
