import CampaignCore
import FoundationEssentials

/// Looks at the pushes of a campaign's fallback before anything is sent: once the fallback is due, it is too late to mend it.
struct FallbackSurvey {
    private var survey: RecipientSurvey
    /// Whether each person's push is one of their own, so that everybody has to be looked at.
    private let isPersonal: Bool

    /// Begins with a campaign; nil when it has no fallback.
    ///
    /// - Throws: ``CampaignCore/MissingVariable``, which a message without variables never does.
    init?(_ campaign: Campaign, now: Date) throws(MissingVariable) {
        guard let fallback = campaign.fallback else { return nil }
        let alert = Campaign(
            name: campaign.name, description: nil, kind: .alert, platforms: campaign.platforms,
            audience: campaign.audience,
            payload: Payload(
                message: LocalizedTemplate(fallback.message), type: nil, content: nil,
                isMessagePrivate: false, expiresAfter: campaign.payload.expiresAfter),
            delivery: campaign.delivery, fingerprints: [:])
        survey = RecipientSurvey(alert, variables: campaign.variables, now: now)
        isPersonal = alert.payload.isPersonal
        if !isPersonal { try survey.visitShared(by: []) }
    }

    /// Whether more people have to be looked at.
    var needsMore: Bool { isPersonal && !survey.isFull }

    /// Looks at some people, in name order.
    ///
    /// - Throws: ``CampaignCore/MissingVariable``, though never in practice: a missing value becomes a fault before.
    mutating func visit(_ members: [AudienceMember]) throws(MissingVariable) {
        for member in members where needsMore { try survey.visit(member) }
    }

    /// What is wrong with the fallback, beyond what is wrong with the campaign's own pushes.
    ///
    /// - Parameter others: the faults of the campaign's own pushes.
    func faults(besides others: [AudienceFault]) -> [AudienceFault] {
        survey.faults.filter { !others.contains($0) }.map(AudienceFault.inFallback)
    }
}
