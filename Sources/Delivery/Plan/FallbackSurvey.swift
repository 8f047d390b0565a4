import CampaignCore
import FoundationEssentials

/// Checks a campaign's fallback before sending: once it is due, it is too late to fix it.
struct FallbackSurvey {
    private var survey: RecipientSurvey
    /// Whether pushes are personal, so that everybody has to be looked at.
    private let isPersonal: Bool

    /// nil if the campaign has no fallback.
    init?(_ campaign: Campaign, now: Date) throws(MissingVariable) {
        guard let fallback = campaign.fallback else { return nil }
        let alert = Campaign(
            name: campaign.name, description: nil, kind: .alert, platforms: campaign.platforms,
            audience: campaign.audience,
            payload: Payload(
                texts: Texts(message: LocalizedTemplate(fallback.message)), type: nil, content: nil,
                isMessagePrivate: false, expiresAfter: campaign.payload.expiresAfter),
            delivery: campaign.delivery, fingerprints: [:])
        survey = RecipientSurvey(alert, variables: campaign.variables, now: now)
        isPersonal = alert.payload.isPersonal
        if !isPersonal { try survey.visitShared(by: []) }
    }

    var needsMore: Bool { isPersonal && !survey.isFull }

    /// Call in name order; never throws in practice: a missing value becomes a fault first.
    mutating func visit(_ members: [AudienceMember]) throws(MissingVariable) {
        for member in members where needsMore { try survey.visit(member) }
    }

    /// Faults of the fallback, without those already in `others`.
    func faults(besides others: [AudienceFault]) -> [AudienceFault] {
        survey.faults.filter { !others.contains($0) }.map(AudienceFault.inFallback)
    }
}
