import CampaignCore
import FoundationEssentials

/// Checks a campaign's fallback before sending: once it is due, it is too late to fix it.
struct FallbackSurvey {
    private var survey: RecipientSurvey
    /// Whether pushes are personal, so that everybody has to be looked at.
    private let isPersonal: Bool

    /// nil if the campaign has no fallback.
    init?(_ campaign: Campaign, now: Date) throws(MissingVariable) {
        guard
            let alert = campaign.ofFallback(
                on: campaign.platforms, expiringAfter: campaign.payload.expiresAfter)
        else { return nil }
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
