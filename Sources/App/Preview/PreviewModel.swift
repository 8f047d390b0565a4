package import CampaignCore

/// All that a preview says of one campaign, in any format.
package struct PreviewModel: Sendable {
    package var campaign: String
    package var description: String?
    package var kind: CampaignKind
    package var audience: AudienceCounts
    /// Readers of each language; empty if the texts have one language.
    package var languages: [PreviewLanguage]
    /// In the campaign's order.
    package var platforms: [PreviewPlatform]
    /// Without retries.
    package var requests: Int
    /// Requests a second; nil: unlimited.
    package var rate: Double?
    /// Duration of the requests at that rate.
    package var seconds: Double?
    /// From the run's start.
    package var expiresAfter: Duration
    /// nil if it is not known without running a command.
    package var hub: HubIdentity?
    /// May be known without the hub's address.
    package var hubName: String?
    package var outlook: PreviewOutlook
    /// In order; empty if everybody's turn is at once, or was settled by an earlier run.
    package var waves: [PreviewWave]
    package var fallback: PreviewFallback?
    /// With the next start; nil: the schedule never starts it.
    package var next: CampaignSchedule?
    /// nil: the hub was not asked.
    package var reach: ReachEstimate?
    /// The most important first.
    package var remarks: [PreviewRemark]
    /// One for each distinct message, or for each requested person.
    package var messages: [PreviewMessage]
    /// Warnings of `validate`, as text.
    package var warnings: String
    package var isPersonal: Bool
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

    /// One per recipient and platform with a push.
    package var deliveries: Int { platforms.reduce(0) { $0 + $1.recipients } }

    /// Whether a run would send now; true if not known.
    package var wouldSend: Bool {
        switch outlook.action {
        case .begin, .proceed:
            (outlook.deliveries ?? deliveries) > (outlook.capped ?? 0)
        case .nothing, .refuse: false
        case .unknown: deliveries > 0
        }
    }
}

package struct PreviewLanguage: Hashable, Sendable {
    /// nil: `default`.
    package var language: LanguageTag?
    package var people: Int

    package init(_ language: LanguageTag?, people: Int) {
        self.language = language
        self.people = people
    }
}

package struct PreviewPlatform: Sendable {
    package var platform: Platform
    package var recipients: Int
    /// The largest body.
    package var worstBytes: Int
    /// In bytes.
    package var limit: Int
    /// The first request, with its signature hidden; nil if there is nobody.
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

package enum PreviewEntry: Sendable {
    case campaign(PreviewModel)
    /// A file with errors, which sends nothing.
    case faults(path: String, findings: String)
    /// A file whose people cannot be found from here.
    case refused(path: String, why: String)
}
