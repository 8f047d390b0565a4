import CampaignCore
import FoundationEssentials

/// Renders every push without sending it, to find problems and the largest bodies.
///
/// In practice it never throws, because a missing value is recorded as a problem first.
struct RecipientSurvey {
    private static let mostProblems = 20

    private struct Worst {
        var bytes = 0
        var language: LanguageTag?
        var member: AudienceMember?
    }

    private(set) var makeup = AudienceMakeup()
    private let campaign: Campaign
    private let options: PushOptions
    private let isPersonal: Bool
    private let hasLanguages: Bool
    private let rules: [PushBody]
    private var renderer: PayloadRenderer
    private let now: Date
    private let expires: Date
    private var worst: [Platform: Worst] = [:]
    private var readers: [LanguageTag?: (count: Int, first: AudienceMember)] = [:]
    private var memberProblems: [AudienceProblem] = []

    /// - Parameter columns: the columns of people's values, in order; nil means the payload's
    ///   columns.
    init(_ campaign: Campaign, columns: [String]? = nil, now: Date) {
        self.campaign = campaign
        options = campaign.payload.pushOptions
        isPersonal = campaign.payload.isPersonal
        hasLanguages = !campaign.payload.languages.isEmpty
        rules = campaign.platforms.map(campaign.body)
        renderer = PayloadRenderer(campaign.payload, columns: columns)
        self.now = now
        expires = now.addingTimeInterval(campaign.payload.expiresAfter / .seconds(1))
    }

    private var isFull: Bool { memberProblems.count >= Self.mostProblems }

    /// Whether to visit more people, which is useful only if their pushes differ and few problems
    /// were found so far.
    var needsMore: Bool { (isPersonal || hasLanguages) && !isFull }

    /// Checks a recipient if necessary; call in name order.
    mutating func visit(_ members: [AudienceMember]) throws(MissingVariable) {
        for member in members where needsMore { try visit(member) }
    }

    private mutating func visit(_ member: AudienceMember) throws(MissingVariable) {
        let language = renderer.language(of: member)
        let unset = renderer.unset(for: member)
        makeup.note(member, without: unset, isStranger: hasLanguages && language == nil)
        let isFirst = readers[language] == nil
        readers[language, default: (0, member)].count += 1
        // Without variables, all people with the same language get the same push.
        guard isPersonal || isFirst else { return }
        let missing = unset.isEmpty ? [] : renderer.missing(for: member)
        guard missing.isEmpty else {
            for name in missing where !isFull {
                memberProblems.append(.missingVariable(name: name, member: member))
            }
            return
        }
        let notification =
            isPersonal
            ? try renderer.notification(.placeholder, for: member, hasContent: false)
            : try renderer.notification(.placeholder, in: language)
        measure(notification, of: member)
    }

    /// Checks the push that is the same for everybody, even if nobody gets it.
    mutating func finish() throws(MissingVariable) {
        guard !isPersonal, readers.isEmpty else { return }
        measure(try renderer.notification(.placeholder, in: nil), of: nil)
    }

    /// Problems of individual recipients in name order, followed by problems with sizes.
    var problems: [AudienceProblem] {
        memberProblems
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
        guard hasLanguages else { return [] }
        return (campaign.payload.languages.map(Optional.some) + [nil]).map { language in
            LanguageCount(
                language: language, recipients: readers[language]?.count ?? 0,
                first: readers[language]?.first)
        }
    }

    /// Returns the plans for the given platforms, in the campaign's order.
    func platforms(for recipients: [Platform: Int]) -> [PlatformPlan] {
        rules.compactMap { rules in
            recipients[rules.platform].map { count in
                PlatformPlan(
                    platform: rules.platform, recipients: count,
                    worstBytes: worst[rules.platform]?.bytes ?? 0, limit: rules.limit)
            }
        }
    }

    private mutating func measure(_ notification: NewNotification, of member: AudienceMember?) {
        for rules in rules {
            let content = PushContent(
                notification, of: campaign, options: options, on: rules.platform)
            let bytes = rules.bytes(content, expires: expires, now: now).count
            if bytes > worst[rules.platform, default: Worst()].bytes {
                worst[rules.platform] = Worst(
                    bytes: bytes, language: notification.language, member: member)
            }
            check(content, by: rules, of: member)
        }
    }

    /// A toast is XML, which cannot contain most control characters; JSON can.
    private mutating func check(
        _ content: PushContent, by rules: PushBody, of member: AudienceMember?
    ) {
        guard rules.platform == .wns, rules.isVisible, !isFull else { return }
        let shown = content.texts.filter { $0 != .message || !rules.kind.isSilent }
        let scalars = shown.all.lazy.flatMap(\.unicodeScalars)
        guard let bad = scalars.first(where: { !XMLText.canHold($0) }) else { return }
        memberProblems.append(.unwritable(bad, platform: .wns, member: isPersonal ? member : nil))
    }
}
