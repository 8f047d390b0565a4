import CampaignCore
import Delivery
import FoundationEssentials
import Reports

extension PreviewWave {
    /// A wave of a plan.
    ///
    /// - Parameter now: the current time.
    init(_ wave: PlannedWave, seenFrom now: Date) {
        self.init(
            opens: wave.opens <= now ? nil : wave.opens, zones: wave.zones,
            people: wave.recipients, isTooLate: wave.isTooLate)
    }
}

extension PreviewFallback {
    /// The fallback of a campaign.
    ///
    /// - Parameter people: how many the campaign reaches.
    init(_ fallback: Fallback, people: Int) {
        self.init(after: fallback.after, message: fallback.message.source, people: people)
    }
}

extension PreviewOutlook {
    /// Whether a run would begin now; one that is there already has settled when whose turn is.
    var settlesTurns: Bool {
        switch action {
        case .begin, .unknown: true
        case .proceed, .nothing, .refuse: false
        }
    }
}
