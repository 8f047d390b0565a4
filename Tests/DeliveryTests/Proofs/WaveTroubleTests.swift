import CampaignCore
import Delivery
import FoundationEssentials
import TestSupport
import Testing

/// Runs in waves under random trouble: the hub answers as it likes, the store dies, somebody stops the run and resumes it.
@Suite(.bounded) struct WaveTroubleTests {
    /// Zones of the people, in seconds ahead of UTC.
    private static let zones = ["0", "-40", "-100", "-101", "180", nil]

    private let people = (0..<90).map { index in
        AudienceMember(
            username: Username(checked: "u" + String(String(1_000 + index).dropFirst())),
            zone: Self.zones[index % Self.zones.count],
            origin: AudienceOrigin(file: 0, line: index + 1))
    }

    private static func rule(_ seed: UInt64) -> TurnRule {
        let quiet = QuietHours(from: 8 * 60 + 1 + Int(seed % 3), to: 8 * 60 + 5)
        return switch seed % 4 {
        case 0: TurnRule(quietHours: nil, localTime: 8 * 60, zone: .utc)
        case 1: TurnRule(quietHours: quiet, localTime: 8 * 60, zone: .utc)
        default: TurnRule(quietHours: quiet, localTime: nil, zone: .utc)
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

    /// One life of a process, which may die at any call of the store; then time goes on to the next wave, or a little.
    private func live(
        _ bench: TestBench, _ campaign: Campaign, using random: inout SeededGenerator
    ) async throws -> RunResult? {
        let life =
            Int.random(in: 0..<3, using: &random) > 0
            ? Int.random(in: 3..<80, using: &random) : nil
        let found = try await bench.ledger.runs(campaign: nil, limit: 1).first
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
            // It was killed.
        }
        await bench.ledger.mend()
        await bench.ledger.letGo()
        if case .waiting(let resumption) = end {
            let instant = resumption.timeIntervalSince(TestBench.start)
            #expect(instant > bench.clock.elapsed / .seconds(1) - 1)
            try await bench.clock.sleep(
                until: .init(offset: .seconds(instant)), tolerance: nil)
        }
        return end
    }

    /// Each rule with each of its quiet hours, alone in a push and shared.
    @Test(arguments: [0, 1, 2, 3, 4, 5, 7, 9, 10] as [UInt64])
    func nobodyIsSentTwiceNobodyInTheirQuietHoursAndNobodyIsLost(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let shared = random
        let bench = TestBench { _, _, _ in
            var random = shared
            return reply(using: &random)
        }
        let rule = Self.rule(seed)
        let campaign = try TestBench.campaign(
            platforms: [.apns, .fcm], turns: rule,
            delivery: DeliveryPolicy(
                rate: 8, concurrency: 8, recipientsPerPush: seed % 5 == 0 ? 3 : 1,
                retry: RetryLimits(attempts: 100), finishWithin: .seconds(6 * 86_400)))
        var end: RunResult?
        for _ in 0..<500 where end != .finished && end != .alreadyFinished {
            end = try await live(bench, campaign, using: &random)
        }
        let run = try #require(try await bench.ledger.runs(campaign: nil, limit: 1).first)
        #expect(run.state == .finished)
        let outcomes = try await bench.ledger.outcomes(run.id)
        #expect(outcomes.total == 180)
        #expect(outcomes[.notAttempted] == 0, "nobody is lost")
        #expect(outcomes[.skipped] == 0)

        let start = Int(TestBench.start.timeIntervalSince1970)
        let zones = Dictionary(uniqueKeysWithValues: people.map { ($0.username, $0.zone) })
        let started = Int(run.started.timeIntervalSince1970) / 60 * 60
        for push in bench.sender.sent {
            let zone = try zones[push.username].flatMap(\.self).map {
                try TestZones().rules(of: $0)
            }
            let turn = rule.turn(in: zone ?? .utc, from: started, through: start + 7 * 86_400)
            let instant = start + Int(push.at.components.seconds)
            #expect(turn.isOpen(at: instant), "\(push.username) in \(zone?.name ?? "UTC")")
        }
    }
}
