package import CampaignCore
package import FoundationEssentials

/// Renders every push without sending it, to find faults and the largest bodies.
struct RecipientSurvey {
    static let mostFaults = 20

    private struct Worst {
        var bytes = 0
        var language: LanguageTag?
        var member: AudienceMember?
    }

    private struct Reader {
        var count = 0
        let first: AudienceMember?
        var samples: [Platform: PushPage] = [:]
    }

    private let campaign: Campaign
    private let options: PushOptions
    private let isPersonal: Bool
    private let rules: [PushBody]
    private var renderer: PayloadRenderer
    private let now: Date
    private let expires: Date
    private var worst: [Platform: Worst] = [:]
    private(set) var samples: [Platform: PushPage] = [:]
    private var readers: [LanguageTag?: Reader] = [:]
    private var seen = 0
    private var memberFaults: [AudienceFault] = []
    private var fallbackFaults: [AudienceFault] = []

    /// - Parameter variables: the columns of people's values, in order; nil: those of the payload.
    init(_ campaign: Campaign, variables: [String]? = nil, now: Date) {
        self.campaign = campaign
        let options = campaign.payload.pushOptions
        self.options = options
        self.isPersonal = campaign.payload.isPersonal
        self.rules = campaign.platforms.map { platform in
            PushBody(
                kind: campaign.kind, platform: platform,
                hasPlaceholder: options.placeholders.contains(platform))
        }
        self.renderer = PayloadRenderer(campaign.payload, variables: variables)
        self.now = now
        self.expires = now.addingTimeInterval(campaign.payload.expiresAfter / .seconds(1))
    }

    var isEmpty: Bool { seen == 0 }

    var isFull: Bool { memberFaults.count >= Self.mostFaults }

    /// Looks at one recipient; call in name order.
    ///
    /// Never throws in practice: a missing value becomes a fault first.
    mutating func visit(_ member: AudienceMember) throws(MissingVariable) {
        seen += 1
        let language = renderer.language(of: member)
        let isFirst = note(member, of: language)
        // Without variables, all readers of a language get the same push.
        guard isPersonal || isFirst else { return }
        let missing = renderer.missing(for: member)
        guard missing.isEmpty else {
            for name in missing where !isFull {
                memberFaults.append(.missingVariable(name: name, member: member))
            }
            return
        }
        let notification =
            isPersonal
            ? try renderer.notification(.placeholder, for: member, hasContent: false)
            : try renderer.notification(.placeholder, in: language)
        look(at: notification, of: [member], isFirst: isFirst)
    }

    /// Looks at the only push of a payload without variables and languages.
    ///
    /// - Parameter first: the recipients of the first request; may be empty.
    mutating func visitShared(by first: [AudienceMember]) throws(MissingVariable) {
        seen += 1
        look(at: try renderer.notification(.placeholder, in: nil), of: first, isFirst: true)
    }

    mutating func add(_ fallback: FallbackSurvey) {
        fallbackFaults = fallback.faults(besides: faults)
    }

    /// Single recipients in name order, then sizes, then the fallback.
    var faults: [AudienceFault] { ownFaults + fallbackFaults }

    private var ownFaults: [AudienceFault] {
        memberFaults
            + rules.compactMap { rules in
                guard let worst = worst[rules.platform], worst.bytes > rules.limit else {
                    return nil
                }
                return .bodyTooLarge(
                    platform: rules.platform, bytes: worst.bytes, limit: rules.limit,
                    language: worst.language, member: isPersonal ? worst.member : nil)
            }
    }

    /// Empty if no text names a language.
    var languages: [LanguageCount] {
        let named = campaign.payload.languages
        guard !named.isEmpty else { return [] }
        return (named.map(Optional.some) + [nil]).map { language in
            LanguageCount(
                language: language, recipients: readers[language]?.count ?? 0,
                first: readers[language]?.first)
        }
    }

    /// Plans for the given platforms, in the campaign's order.
    func platforms(for recipients: [Platform: Int]) -> [PlatformPlan] {
        rules.compactMap { rules in
            recipients[rules.platform].map { count in
                PlatformPlan(
                    platform: rules.platform, recipients: count,
                    worstBytes: worst[rules.platform]?.bytes ?? 0, limit: rules.limit,
                    sample: samples[rules.platform],
                    samples: languages.compactMap { count in
                        readers[count.language]?.samples[rules.platform].map {
                            LanguageSample(language: count.language, page: $0)
                        }
                    })
            }
        }
    }

    /// Counts a person; true if they are the first.
    private mutating func note(_ member: AudienceMember, of language: LanguageTag?) -> Bool {
        guard readers[language] == nil else {
            readers[language]?.count += 1
            return false
        }
        readers[language] = Reader(count: 1, first: member)
        return true
    }

    private mutating func look(
        at notification: NewNotification, of members: [AudienceMember], isFirst: Bool
    ) {
        for rules in rules {
            let content = PushContent(
                notification, of: campaign, options: options, on: rules.platform)
            let body = rules.bytes(content, expires: expires, now: now)
            if body.count > worst[rules.platform, default: Worst()].bytes {
                worst[rules.platform] = Worst(
                    bytes: body.count, language: notification.language, member: members.first)
            }
            check(content, by: rules, of: members.first)
            guard isFirst, !members.isEmpty else { continue }
            let page = page(body, by: rules, to: members)
            if seen == 1 { samples[rules.platform] = page }
            readers[notification.language]?.samples[rules.platform] = page
        }
    }

    private func page(
        _ body: [UInt8], by rules: PushBody, to members: [AudienceMember]
    ) -> PushPage {
        PushPage(
            platform: rules.platform, contentType: rules.contentType,
            headers: rules.headers(expires: expires, now: now),
            pushes: [Push(number: 1, usernames: members.map(\.username), body: body)],
            interval: RateLimiter(rate: campaign.delivery.rate).interval)
    }

    /// A toast is XML, which cannot hold most control characters; JSON can.
    private mutating func check(
        _ content: PushContent, by rules: PushBody, of member: AudienceMember?
    ) {
        guard rules.platform == .wns, rules.isVisible, !isFull else { return }
        let shown = content.texts.filter { $0 != .message || !rules.kind.isSilent }
        let scalars = shown.all.lazy.flatMap(\.unicodeScalars)
        guard let bad = scalars.first(where: { !XMLText.canHold($0) }) else { return }
        memberFaults.append(.unwritable(bad, platform: .wns, member: isPersonal ? member : nil))
    }
}

extension Campaign {
    /// The pushes that chosen people would get, made as a run makes them, by platform.
    ///
    /// Their id is ``CampaignCore/NotificationID/placeholder``.
    ///
    /// - Parameter members: in name order. If the payload is the same for all, they share the first
    ///   request; otherwise only the first is looked at.
    package func samplePushes(
        to members: [AudienceMember], now: Date
    ) throws(MissingVariable) -> [Platform: PushPage] {
        guard let first = members.first else { return [:] }
        var survey = RecipientSurvey(self, now: now)
        if payload.isPersonal {
            try survey.visit(first)
        } else {
            try survey.visitShared(by: members)
        }
        return survey.samples
    }
}
