import CampaignCore
import Delivery
import FoundationEssentials
import Storage
import TestSupport
import Testing

/// Runs in waves with random responses of the hub, store failures, stops and resumptions.
@Suite(.bounded) struct WaveTroubleTests {
    private struct Delivery: Hashable {
        let platform: Platform
        let username: Username
    }

    private static let platforms = [Platform.apns, .fcm]
    /// Seeds whose runs hold pushes that may have been sent; all others send them again.
    private static let holding: Set<UInt64> = [0, 2, 5, 9]
    /// Seeds whose runs skip people that an earlier campaign has reached.
    private static let capped: Set<UInt64> = [2, 4, 5, 10]

    /// The offset, in seconds ahead of UTC.
    private static let zones = ["0", "-40", "-100", "-101", "180", nil]

    private let people = (0..<72).map { index in
        AudienceMember(
            username: Username(checked: "u" + String(String(1_000 + index).dropFirst())),
            zone: Self.zones[index % Self.zones.count],
            origin: AudienceOrigin(file: 0, line: index + 1))
    }

    private static func rule(_ seed: UInt64) -> SendTimeRule {
        let quiet = QuietHours(from: 8 * 60 + 1 + Int(seed % 3), to: 8 * 60 + 5)
        return switch seed % 4 {
        case 0: SendTimeRule(quietHours: nil, localTime: 8 * 60, zone: .utc)
        case 1: SendTimeRule(quietHours: quiet, localTime: 8 * 60, zone: .utc)
        default: SendTimeRule(quietHours: quiet, localTime: nil, zone: .utc)
        }
    }

    private func reply(using random: inout SeededGenerator) -> ScriptedSender.Reply {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: .now(.retry(after: .seconds(2), cause: .throttled))
        case 1: .now(.retry(after: nil, cause: .unreachable))
        case 2: .now(.rejected)
        case 3: .late(.seconds(20), .accepted)
        case 4: .now(.retry(after: .seconds(30), cause: .throttled))
        default: .now(.accepted)
        }
    }

    private func run(_ bench: TestBench) async throws -> RunRecord? {
        try await bench.ledger.runs(campaign: "spring", limit: 1).first
    }

    /// The life of one process, which may die at any call to the store; then time passes.
    ///
    /// - Returns: nil if it was killed.
    private func live(
        _ bench: TestBench, _ campaign: Campaign, using random: inout SeededGenerator
    ) async throws -> RunResult? {
        let life =
            Int.random(in: 0..<3, using: &random) > 0
            ? Int.random(in: 3..<80, using: &random) : nil
        let found = try await run(bench)
        if let found, Int.random(in: 0..<8, using: &random) == 0 {
            try await bench.ledger.requestStop(found.id, .resumable)
        }
        await bench.ledger.failEverything(after: life)
        var end: RunResult?
        do {
            end =
                if let found, found.state == .stopped {
                    try await bench.runner.resume(
                        found.id, at: TestBench.hub, campaign: campaign
                    ).result
                } else {
                    try await bench.run(campaign, people: people).result
                }
        } catch is FaultyLedger.DiskFull {
        }
        await bench.ledger.recover()
        await bench.ledger.letGo()
        if case .waiting(let resumption) = end {
            let instant = resumption.timeIntervalSince(TestBench.start)
            #expect(instant > bench.clock.elapsed / .seconds(1) - 1)
            try await bench.clock.sleep(until: .init(offset: .seconds(instant)), tolerance: nil)
        }
        return end
    }

    /// Deliveries left `sending`, which may have been sent.
    private func leftInDoubt(_ bench: TestBench) async throws -> [Delivery] {
        guard let run = try await run(bench), run.state != .staging else { return [] }
        var left: [Delivery] = []
        for platform in Self.platforms {
            left += try await bench.ledger.interrupted(
                run.id, platform: platform, after: 0, limit: people.count
            ).map { Delivery(platform: platform, username: $0.username) }
        }
        return left
    }

    /// Each rule with each of its quiet hours, with single pushes and with shared pushes.
    @Test(
        "Nobody is lost, sent to twice, or sent to during quiet hours",
        arguments: [0, 1, 2, 3, 4, 5, 7, 9, 10] as [UInt64])
    func nobodyIsLostSentToTwiceOrSentToDuringQuietHours(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let shared = random
        let bench = TestBench { _, _, _ in
            var random = shared
            return reply(using: &random)
        }
        let rule = Self.rule(seed)
        let isHolding = Self.holding.contains(seed)
        var protected: Set<Username> = []
        if Self.capped.contains(seed) {
            protected = Set(
                people.enumerated().filter { $0.offset % 8 == 3 }.map(\.element.username))
            try await bench.ledger.protect(protected.map(\.text))
        }
        let campaign = try TestBench.campaign(
            platforms: Self.platforms, sendTimes: rule,
            delivery: DeliveryPolicy(
                rate: 8, concurrency: 8, recipientsPerPush: seed % 5 == 0 ? 3 : 1,
                retry: RetryLimits(attempts: 100), finishWithin: .seconds(6 * 86_400),
                onUnknown: isHolding ? .hold : .resend,
                frequencyCap: protected.isEmpty
                    ? nil : FrequencyCap(pushes: 1, period: .seconds(7 * 86_400))))
        var end: RunResult?
        var doubts: [Delivery: Int] = [:]
        for _ in 0..<500 where end != .finished && end != .alreadyFinished {
            end = try await live(bench, campaign, using: &random)
            guard end == nil else { continue }
            for delivery in try await leftInDoubt(bench) { doubts[delivery, default: 0] += 1 }
        }
        let run = try #require(try await run(bench))
        #expect(run.state == .finished)
        let outcomes = try await bench.ledger.outcomes(run.id)
        #expect(outcomes.total == people.count * Self.platforms.count)
        #expect(outcomes[.notAttempted] == 0, "nobody is lost")
        // The earlier campaign used only one of the platforms.
        #expect(outcomes[.skipped] == protected.count, "only whom the cap protects")
        #expect(outcomes.late == 0)

        var accepted: [Delivery: Int] = [:]
        for push in bench.sender.accepted {
            for username in push.usernames {
                accepted[Delivery(platform: push.platform, username: username), default: 0] += 1
            }
        }
        #expect(outcomes[.accepted] > 0 && accepted.count >= outcomes[.accepted])
        for (delivery, count) in accepted {
            let most = isHolding ? 1 : 1 + doubts[delivery, default: 0]
            #expect(count <= most, "\(delivery.username) on \(delivery.platform)")
        }
        let id = try #require(await bench.ledger.staged[run.id]?.shared?.id)
        #expect(
            bench.sender.accepted.allSatisfy {
                String(decoding: $0.body, as: UTF8.self).contains("\"\(id)\"")
            }, "a device takes a second push for the first one")

        let start = Int(TestBench.start.timeIntervalSince1970)
        let zones = Dictionary(uniqueKeysWithValues: people.map { ($0.username, $0.zone) })
        let started = Int(run.started.timeIntervalSince1970) / 60 * 60
        for push in bench.sender.sent {
            let instant = start + Int(push.at.components.seconds)
            for username in push.usernames {
                let zone = try zones[username].flatMap(\.self).map {
                    try TestZones().rules(of: $0)
                }
                let windows = rule.windows(
                    in: zone ?? .utc, from: started, through: start + 7 * 86_400)
                #expect(windows.isOpen(at: instant), "\(username) in \(zone?.name ?? "UTC")")
                #expect(push.platform == .fcm || !protected.contains(username), "\(username)")
            }
        }
    }
}
