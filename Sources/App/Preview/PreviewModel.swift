import CampaignCore

/// Everything that a preview shows about one campaign, in any format.
struct PreviewModel: Sendable {
    var campaign: String
    var description: String?
    var kind: CampaignKind
    var audience: AudienceCounts
    /// Readers of each language; empty if all texts are in the same language.
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
    /// nil if it is unknown, for example because a command would have to run.
    var hub: HubIdentity?
    /// The name, which may be known when the hub's address is not.
    var hubName: String?
    var outlook: PreviewOutlook
    /// In order; empty if everybody is sent to at once, or if the run already has its waves.
    var waves: [PreviewWave] = []
    var fallback: PreviewFallback?
    /// The schedule with its next start; nil if there is no further start.
    var next: CampaignSchedule?
    /// nil: the hub was not asked.
    var reach: ReachEstimate?
    /// Most important first.
    var remarks: [PreviewRemark] = []
    /// One for each distinct message, or one for each person asked for.
    var messages: [PreviewMessage] = []
    /// Warnings of `validate`, as text.
    var warnings = ""
    var isPersonal = false
    var isMasked = false

    /// Counts one per recipient and platform.
    var deliveries: Int { platforms.reduce(0) { $0 + $1.recipients } }

    /// Whether a run would send something now; true if unknown.
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
    /// The size of the largest body.
    var worstBytes: Int
    /// In bytes.
    var limit: Int
    /// The first request, with its signature hidden; nil if there are no recipients.
    var request: PushRequest?
}

enum PreviewEntry: Sendable {
    case campaign(PreviewModel)
    /// A file with errors, which cannot be sent.
    case invalid(path: String, findings: String)
    /// A file whose people cannot be determined.
    case refused(path: String, why: String)
}
