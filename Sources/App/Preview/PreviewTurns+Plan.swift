import CampaignCore
import CampaignFormat
import Delivery
import FoundationEssentials

extension PreviewWave {
    /// The waves of a plan; waves that begin at the same moment count as one.
    static func all(of waves: [PlannedWave], seenFrom now: Date) -> [PreviewWave] {
        waves.reduce(into: []) { all, planned in
            let opens = planned.opens <= now ? nil : planned.opens
            guard var last = all.last, last.opens == opens, last.isTooLate == planned.isTooLate
            else {
                all.append(
                    PreviewWave(
                        opens: opens, zones: planned.zones, people: planned.recipients,
                        isTooLate: planned.isTooLate))
                return
            }
            last.zones = Set(last.zones + planned.zones).sorted()
            last.people += planned.recipients
            all[all.count - 1] = last
        }
    }
}

extension CampaignSource {
    /// The next start by the campaign's schedule, if there is one.
    ///
    /// - Parameter known: what the store says of that start, if anything.
    func next(_ known: NextStart?, after now: Date) -> CampaignSchedule? {
        guard let campaign = loaded.campaign, let schedule = campaign.schedule,
            let next = schedule.next(after: now)
        else { return nil }
        return CampaignSchedule(
            campaign: campaign.name, path: loaded.path, schedule: schedule,
            coming: known?.stays == false ? [] : [next], sentEarly: known?.sentEarly)
    }
}

extension RunRecord {
    /// Whether continuing the run now would send nothing, since nobody's turn has come.
    func waits(at now: Date) -> Bool {
        state == .waiting && (resumes.map { $0 > now } ?? false)
    }
}

extension PreviewFallback {
    /// - Parameter people: how many the campaign reaches.
    init(_ fallback: Fallback, people: Int) {
        self.init(after: fallback.after, message: fallback.message.source, people: people)
    }
}

extension PreviewOutlook {
    /// Whether a run would begin now and settle the turns; a standing run has settled them already.
    var settlesTurns: Bool {
        switch action {
        case .begin, .unknown: true
        case .proceed, .nothing, .refuse: false
        }
    }
}
