import CampaignCore

/// Everything that a preview shows about one campaign, in any format.
struct PreviewModel: Sendable {
    var campaign: String
    var description: String?
    var kind: CampaignKind
    var audience: AudienceCounts
    /// The number of rows of the audience files that were skipped because of errors.
    var skippedRows = 0
    /// The languages and their readers; empty if all texts are in the same language.
    var languages: [PreviewLanguage] = []
    /// The platforms, in the campaign's order.
    var platforms: [PreviewPlatform]
    /// The number of requests, without retries.
    var requests: Int
    /// Requests per second; nil if unlimited.
    var rate: Double?
    /// How long the requests take at that rate.
    var seconds: Double?
    /// How long devices can fetch the payload, from the start of the run.
    var expiresAfter: Duration
    /// The hub's address; nil if it is unknown, for example because a command would have to run.
    var hub: HubIdentity?
    /// The hub's name, which may be known even if its address is not.
    var hubName: String?
    var outlook: PreviewOutlook
    /// The waves, in order; empty if everybody is sent to at the same time, or if the run has
    /// already planned its waves.
    var waves: [PreviewWave] = []
    var fallback: PreviewFallback?
    /// The schedule with its next start; nil if there is no further start.
    var next: CampaignSchedule?
    /// How many people have a device according to the hub; nil if the hub was not asked.
    var reach: ReachEstimate?
    /// The remarks, most important first.
    var remarks: [PreviewRemark] = []
    /// One message for each distinct text, or one for each person that the user asked for.
    var messages: [PreviewMessage] = []
    /// The warnings of `validate`, as text.
    var warnings = ""
    var isPersonal = false
    var isMasked = false

    /// The number of pushes, one per recipient and platform.
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
    /// The size of the largest body, in bytes.
    var worstBytes: Int
    /// The platform's limit for a body, in bytes.
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
