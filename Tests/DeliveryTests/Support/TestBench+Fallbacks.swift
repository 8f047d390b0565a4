import CampaignCore
import FoundationEssentials
import Storage
import Testing

@testable import Delivery

extension TestBench {
    static let fallbackText = "You have a new message"

    /// A campaign whose fallback is sent after half an hour.
    static func campaignWithFallback(
        platforms: [Platform] = [.apns], expiresAfter: Duration = .seconds(7 * 86_400),
        minimum: Int = 1, delivery: DeliveryPolicy = DeliveryPolicy()
    ) throws -> Campaign {
        try following(
            campaign(
                platforms: platforms, minimum: minimum, expiresAfter: expiresAfter,
                delivery: delivery),
            by: fallbackText, after: .seconds(1_800))
    }

    static func following(
        _ campaign: Campaign, by message: String, after: Duration
    ) throws -> Campaign {
        Campaign(
            name: campaign.name, description: nil, kind: campaign.kind,
            platforms: campaign.platforms, audience: campaign.audience,
            payload: campaign.payload, schedule: campaign.schedule, sendTimes: campaign.sendTimes,
            fallback: Fallback(after: after, message: try MessageTemplate(message)),
            delivery: campaign.delivery, fingerprints: campaign.fingerprints)
    }

    func pass(_ seconds: Int) async throws {
        try await clock.sleep(for: .seconds(seconds))
    }

    /// The runs of a campaign that need a fallback now.
    func dueFallbacks(of campaign: Campaign) async throws -> DueFallbacks {
        try await DueFallbacks(of: campaign, at: Self.hub, in: ledger, now: now())
    }

    /// Sends the due fallbacks as `run --due` does; returns those with recipients.
    @discardableResult
    func fallBack(_ campaign: Campaign, to audience: ListedAudience) async throws -> [RunSummary] {
        var summaries: [RunSummary] = []
        for parent in try await dueFallbacks(of: campaign).due {
            if let summary = try await follow(parent, with: campaign, to: audience) {
                summaries.append(summary)
            }
        }
        return summaries
    }

    /// Sends a run's fallback; returns nil if it has no recipients or its audience has problems.
    func follow(
        _ parent: RunRecord, with campaign: Campaign, to audience: ListedAudience
    ) async throws -> RunSummary? {
        let request = try Self.request(following: parent, with: campaign, at: now())
        guard try await RunStep(for: request, in: ledger).stagesAudience else {
            return try await runner.run(request, to: nil)
        }
        let planned = try await plan(request, following: parent, with: campaign, to: audience)
        guard planned.plan.problems.isEmpty else { return nil }
        guard planned.plan.counts.final > 0 else {
            try await ledger.noteFallback(of: parent.id, requests: parent.requests)
            return nil
        }
        return try await runner.run(request, to: planned)
    }

    static func request(
        following parent: RunRecord, with campaign: Campaign, at now: Date
    ) throws -> RunRequest {
        let mode = RunRequest.Mode.fallback(of: parent)
        return RunRequest(
            campaign: try #require(campaign.sent(as: mode, at: now)), hub: hub, mode: mode,
            campaignPath: "/campaigns/spring.yaml")
    }

    func plan(
        _ request: RunRequest, following parent: RunRecord, with campaign: Campaign,
        to audience: ListedAudience
    ) async throws -> PlannedAudience {
        try await CampaignPlanner(ledger: nil).plan(
            request.campaign,
            audience: FallbackAudience(audience, of: campaign, for: request.campaign),
            sorter: try Self.sorter(),
            for: .followUp(try await UnreachedPeople.unfetched(of: parent, in: ledger)), now: now())
    }

    /// The pushes that contain the fallback's message.
    var shown: [ScriptedSender.Sent] {
        sender.sent.filter { String(decoding: $0.body, as: UTF8.self).contains(Self.fallbackText) }
    }
}
