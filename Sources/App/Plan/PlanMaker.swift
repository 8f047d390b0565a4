import CampaignCore
import CampaignFormat
import Delivery
import Foundation

/// Makes a plan to save or, with the salt of a saved plan, a plan to compare with it.
struct PlanMaker {
    private let settings: EffectiveSettings
    private let loaded: LoadedCampaign
    private let campaign: Campaign
    private let salt: [UInt8]
    private let digester: PlanDigester
    /// The tally, which must have seen all people before a plan is made.
    let tally: AudienceTally

    init(
        _ campaign: Campaign, of loaded: LoadedCampaign, settings: EffectiveSettings, salt: [UInt8]
    ) {
        self.campaign = campaign
        self.loaded = loaded
        self.settings = settings
        self.salt = salt
        digester = PlanDigester(salt: salt)
        tally = AudienceTally(campaign.payload, by: digester)
    }

    func plan(
        by version: String, for sending: PlannedSending, at hub: HubIdentity,
        audience: AudienceDigest, made time: Date
    ) -> SavedPlan {
        SavedPlan(
            version: version, made: time, campaign: campaign.name, sending: sending, hub: hub,
            salt: salt, campaignKeys: digester.digest(loaded.outline),
            configKeys: digester.digest(settings.configOutline), payloadFile: payloadFile,
            audience: audience)
    }

    private var payloadFile: DigestedFile? {
        guard case .file(let file)? = campaign.payload.content else { return nil }
        return digester.digest(file)
    }

    var lacksFiles: Bool { loaded.campaign == nil }

    /// The keys and texts whose changes can be shown.
    var texts: [KeyText] { loaded.outline + settings.configOutline }
}

extension PlannedSending {
    /// The sending that a request is for; nil for rehearsals and fallbacks, which have no plan.
    init?(_ mode: RunRequest.Mode, of rest: UnreachedPeople?) {
        switch mode {
        case .occurrence(let occurrence): self = .occurrence(occurrence)
        case .again: self = .again
        case .followUp(let outcomes):
            guard let rest else { return nil }
            self = .followUp(of: rest.run, outcomes)
        case .rehearsal, .fallback: return nil
        }
    }

    /// Whether a request is for this sending; for a follow-up run, the earlier run does not matter.
    func isMeant(by mode: RunRequest.Mode) -> Bool {
        switch (self, mode) {
        case (.occurrence(let planned), .occurrence(let asked)): planned == asked
        case (.again, .again): true
        case (.followUp(_, let planned), .followUp(let asked)): planned == asked
        default: false
        }
    }

    /// The options that request this sending, each after a space; usually empty.
    var options: String {
        switch self {
        case .occurrence(.once): ""
        case .occurrence(let occurrence): " --occurrence \(ShellWord.quoted(occurrence.text))"
        case .again: " --again"
        case .followUp(_, let outcomes):
            " --again --only "
                + Outcome.allCases.filter(outcomes.contains).map(\.rawValue).joined(separator: ",")
        }
    }
}
