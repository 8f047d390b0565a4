import CampaignCore
import FoundationEssentials

/// Renders every recipient's push without sending it: missing values, the largest bodies, characters that do not fit.
struct RecipientSurvey {
    /// Faults of single recipients beyond this are not looked for.
    static let mostFaults = 20

    private struct Worst {
        var bytes = 0
        var member: AudienceMember?
    }

    private let campaign: Campaign
    private let renderer: PayloadRenderer
    private let now: Date
    private let expires: Date
    private var worst: [Platform: Worst] = [:]
    private var samples: [Platform: PushPage] = [:]
    private var seen = 0
    private var memberFaults: [AudienceFault] = []

    init(_ campaign: Campaign, now: Date) {
        self.campaign = campaign
        self.renderer = PayloadRenderer(campaign.payload)
        self.now = now
        self.expires = now.addingTimeInterval(campaign.payload.expiresAfter / .seconds(1))
    }

    /// Whether the rest of the recipients need not be looked at.
    var isFull: Bool { memberFaults.count >= Self.mostFaults }

    /// Looks at one recipient; they are given in name order.
    ///
    /// - Parameter member: the recipient.
    /// - Throws: ``CampaignCore/MissingVariable``, which cannot be after the check for missing ones.
    mutating func visit(_ member: AudienceMember) throws(MissingVariable) {
        seen += 1
        let missing = renderer.missing(for: member)
        guard missing.isEmpty else {
            for name in missing where !isFull {
                memberFaults.append(.missingVariable(name: name, member: member))
            }
            return
        }
        try look(at: [member])
    }

    /// Looks at the one push that all recipients get.
    ///
    /// - Parameter first: the recipients of the first request; empty when there is nobody.
    /// - Throws: ``CampaignCore/MissingVariable``, which cannot be in a payload without variables.
    mutating func visitShared(by first: [AudienceMember]) throws(MissingVariable) {
        seen += 1
        try look(at: first)
    }

    /// The faults of single recipients in name order, then those of sizes.
    var faults: [AudienceFault] {
        memberFaults
            + campaign.platforms.compactMap { platform in
                let limit = PushBody(kind: campaign.kind, platform: platform).limit
                guard let worst = worst[platform], worst.bytes > limit else { return nil }
                return .bodyTooLarge(
                    platform: platform, bytes: worst.bytes, limit: limit,
                    member: campaign.payload.isPersonal ? worst.member : nil)
            }
    }

    /// What would be sent on some of the campaign's platforms.
    ///
    /// - Parameter recipients: how many people get a push on each; platforms that are not in it are left out.
    /// - Returns: a plan for each of the others, in the campaign's order.
    func platforms(for recipients: [Platform: Int]) -> [PlatformPlan] {
        campaign.platforms.compactMap { platform in
            recipients[platform].map { count in
                PlatformPlan(
                    platform: platform, recipients: count,
                    worstBytes: worst[platform]?.bytes ?? 0,
                    limit: PushBody(kind: campaign.kind, platform: platform).limit,
                    sample: samples[platform])
            }
        }
    }

    private mutating func look(at members: [AudienceMember]) throws(MissingVariable) {
        let member = members.first
        let content = PushContent(
            kind: campaign.kind, isMessagePrivate: campaign.payload.isMessagePrivate,
            notification: .placeholder, type: try renderer.type(for: member),
            message: try renderer.message(for: member))
        measure(content, of: members)
        check(content, of: member)
    }

    private mutating func measure(_ content: PushContent, of members: [AudienceMember]) {
        for platform in campaign.platforms {
            let rules = PushBody(kind: campaign.kind, platform: platform)
            let body = rules.bytes(content, expires: expires, now: now)
            if body.count > worst[platform, default: Worst()].bytes {
                worst[platform] = Worst(bytes: body.count, member: members.first)
            }
            guard seen == 1, !members.isEmpty else { continue }
            samples[platform] = PushPage(
                platform: platform, contentType: rules.contentType,
                headers: rules.headers(expires: expires, now: now),
                pushes: [Push(number: 1, usernames: members.map(\.username), body: body)],
                interval: RateLimiter(rate: campaign.delivery.rate).interval)
        }
    }

    /// A toast is XML, which cannot hold most control characters; JSON can hold them all.
    private mutating func check(_ content: PushContent, of member: AudienceMember?) {
        guard campaign.kind == .alert, campaign.platforms.contains(.wns), !isFull,
            let bad = content.message?.unicodeScalars.first(where: { !XMLText.canHold($0) })
        else { return }
        memberFaults.append(
            .unwritable(bad, platform: .wns, member: campaign.payload.isPersonal ? member : nil))
    }
}
