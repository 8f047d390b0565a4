import CampaignCore

/// All that a preview says of one campaign, in any format.
struct PreviewModel: Sendable {
    var campaign: String
    var description: String?
    var kind: CampaignKind
    var audience: AudienceCounts
    /// Readers of each language; empty if the texts have one language.
    var languages: [PreviewLanguage] = []
    /// In the campaign's order.
    var platforms: [PreviewPlatform]
    /// Without retries.
    var requests: Int
    /// Requests a second; nil: unlimited.
    var rate: Double?
    /// Duration of the requests at that rate.
    var seconds: Double?
    /// From the run's start.
    var expiresAfter: Duration
    /// nil if it is not known without running a command.
    var hub: HubIdentity?
    /// May be known without the hub's address.
    var hubName: String?
    var outlook: PreviewOutlook
    /// In order; empty if everybody's turn is at once, or was settled by an earlier run.
    var waves: [PreviewWave] = []
    var fallback: PreviewFallback?
    /// With the next start; nil: the schedule never starts it.
    var next: CampaignSchedule?
    /// nil: the hub was not asked.
    var reach: ReachEstimate?
    /// The most important first.
    var remarks: [PreviewRemark] = []
    /// One for each distinct message, or for each requested person.
    var messages: [PreviewMessage] = []
    /// Warnings of `validate`, as text.
    var warnings = ""
    var isPersonal = false
    var isMasked = false

    /// One per recipient and platform with a push.
    var deliveries: Int { platforms.reduce(0) { $0 + $1.recipients } }

    /// Whether a run would send now; true if not known.
    var wouldSend: Bool {
        switch outlook.action {
        case .begin, .proceed:
            (outlook.deliveries ?? deliveries) > (outlook.capped ?? 0)
        case .nothing, .refuse: false
        case .unknown: deliveries > 0
        }
    }
}

struct PreviewLanguage: Hashable, Sendable {
    /// nil: `default`.
    var language: LanguageTag?
    var people: Int
}

struct PreviewPlatform: Sendable {
    var platform: Platform
    var recipients: Int
    /// The largest body.
    var worstBytes: Int
    /// In bytes.
    var limit: Int
    /// The first request, with its signature hidden; nil if there is nobody.
    var request: PushRequest?
}

enum PreviewEntry: Sendable {
    case campaign(PreviewModel)
    /// A file with errors, which sends nothing.
    case faults(path: String, findings: String)
    /// A file whose people cannot be found from here.
    case refused(path: String, why: String)
}
