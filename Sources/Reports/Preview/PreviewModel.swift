package import CampaignCore

/// All that a preview says of one campaign; its text, its page, its Markdown and its JSON are made from this alone.
package struct PreviewModel: Sendable {
    /// The campaign's name.
    package var campaign: String
    package var description: String?
    package var kind: CampaignKind
    /// How its audience came about.
    package var audience: AudienceCounts
    /// How many people read the texts of each language; empty where the texts have one language.
    package var languages: [PreviewLanguage]
    /// In the campaign's order.
    package var platforms: [PreviewPlatform]
    /// Hub requests, without retries.
    package var requests: Int
    /// Requests a second; nil: as many as the hub takes.
    package var rate: Double?
    /// How long the requests take at that rate; nil where there is none.
    package var seconds: Double?
    /// How long devices can fetch what is stored, from the run's start.
    package var expiresAfter: Duration
    /// Where it would go; nil where that is not known without running a command.
    package var hub: HubIdentity?
    /// The hub's name in the settings, which may be known without its address.
    package var hubName: String?
    package var outlook: PreviewOutlook
    /// When people's turns begin, in order; empty where everybody's is at once, or was settled by an earlier run.
    package var waves: [PreviewWave]
    /// nil: nothing follows.
    package var fallback: PreviewFallback?
    /// With the next start by its schedule; nil: it is not started by itself any more, or never was.
    package var next: CampaignSchedule?
    /// How many people have a device; nil: the hub was not asked.
    package var reach: ReachEstimate?
    /// What is unusual, the most important first.
    package var remarks: [PreviewRemark]
    /// One for each distinct message, or for each person who was asked for.
    package var messages: [PreviewMessage]
    /// What `validate` warns of, as text; empty where there is nothing.
    package var warnings: String
    /// Whether every recipient gets a notification of their own.
    package var isPersonal: Bool
    /// Whether names and values of people are left out.
    package var isMasked: Bool

    package init(
        campaign: String, description: String?, kind: CampaignKind, audience: AudienceCounts,
        languages: [PreviewLanguage] = [], platforms: [PreviewPlatform], requests: Int,
        rate: Double?, seconds: Double?, expiresAfter: Duration, hub: HubIdentity? = nil,
        hubName: String? = nil, outlook: PreviewOutlook, waves: [PreviewWave] = [],
        fallback: PreviewFallback? = nil,
        next: CampaignSchedule? = nil, reach: ReachEstimate? = nil, remarks: [PreviewRemark] = [],
        messages: [PreviewMessage] = [],
        warnings: String = "", isPersonal: Bool = false, isMasked: Bool = false
    ) {
        self.campaign = campaign
        self.description = description
        self.kind = kind
        self.audience = audience
        self.languages = languages
        self.platforms = platforms
        self.requests = requests
        self.rate = rate
        self.seconds = seconds
        self.expiresAfter = expiresAfter
        self.hub = hub
        self.hubName = hubName
        self.outlook = outlook
        self.waves = waves
        self.fallback = fallback
        self.next = next
        self.reach = reach
        self.remarks = remarks
        self.messages = messages
        self.warnings = warnings
        self.isPersonal = isPersonal
        self.isMasked = isMasked
    }

    /// One for each recipient on each platform where they get a push.
    package var deliveries: Int { platforms.reduce(0) { $0 + $1.recipients } }

    /// Whether a run would send anything now; where that cannot be told, it is taken for granted.
    package var wouldSend: Bool {
        switch outlook.action {
        case .begin, .proceed:
            (outlook.deliveries ?? deliveries) > (outlook.capped ?? 0)
        case .nothing, .refuse: false
        case .unknown: deliveries > 0
        }
    }
}

/// How many people read the texts of one language.
package struct PreviewLanguage: Hashable, Sendable {
    /// nil: `default`.
    package var language: LanguageTag?
    package var people: Int

    package init(_ language: LanguageTag?, people: Int) {
        self.language = language
        self.people = people
    }
}

/// What would be sent on one platform.
package struct PreviewPlatform: Sendable {
    package var platform: Platform
    /// How many people get a push on it.
    package var recipients: Int
    /// The largest body over the audience.
    package var worstBytes: Int
    /// The most bytes the platform takes.
    package var limit: Int
    /// The first request, its signature hidden; nil when there is nobody.
    package var request: PushRequest?

    package init(
        platform: Platform, recipients: Int, worstBytes: Int, limit: Int, request: PushRequest?
    ) {
        self.platform = platform
        self.recipients = recipients
        self.worstBytes = worstBytes
        self.limit = limit
        self.request = request
    }
}

/// What becomes of one campaign file in a preview.
package enum PreviewEntry: Sendable {
    case campaign(PreviewModel)
    /// A file with errors, which sends nothing: its path, and what is wrong, as text.
    case faults(path: String, findings: String)
    /// A file whose people cannot be found from where the preview is made: its path, and a sentence that says why.
    case refused(path: String, why: String)
}
