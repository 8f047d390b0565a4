import CampaignCore
import Delivery
import Storage
import Synchronization
import TestSupport
import Testing

/// Runs with random responses of the hub, store failures, stops and resumptions.
@Suite(.bounded) struct TroubleTests {
    private let people = ListedAudience.people(count: 120)

    /// Counts, for each user and platform, the pushes that were or may have been sent.
    private final class Arrivals: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        var most: Int { counts.withLock { $0.values.max() ?? 0 } }

        func add(_ user: Username, on platform: Platform) {
            counts.withLock { $0["\(platform) \(user)", default: 0] += 1 }
        }
    }

    private func reply(using random: inout SeededGenerator) -> ScriptedSender.Reply {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: .now(.retry(after: .seconds(2), cause: .throttled))
        case 1: .now(.retry(after: nil, cause: .unreachable))
        case 2: .now(.unknown)
        case 3: .now(.rejected)
        case 4: .late(.seconds(20), .accepted)
        case 5: .silence
        default: .now(.accepted)
        }
    }

    private func mayHaveArrived(_ reply: ScriptedSender.Reply) -> Bool {
        switch reply {
        case .now(.retry, _), .now(.rejected, _): false
        default: true
        }
    }

    /// The life of one process: it may die at any call to the store, or be asked to stop.
    private func live(
        _ bench: TestBench, _ campaign: Campaign, using random: inout SeededGenerator
    ) async throws -> RunResult? {
        let isMortal = Int.random(in: 0..<5, using: &random) > 0
        let life = isMortal ? Int.random(in: 3..<60, using: &random) : nil
        let found = try await bench.ledger.runs(campaign: nil, limit: 1).first
        if let found, Int.random(in: 0..<8, using: &random) == 0 {
            try await bench.ledger.requestStop(found.id, .resumable)
        }
        await bench.ledger.failEverything(after: life)
        do {
            let end: RunResult =
                if let found, found.state == .stopped {
                    try await bench.runner.resume(
                        found.id, at: TestBench.hub, campaign: campaign
                    ).result
                } else {
                    try await bench.run(campaign, people: people).result
                }
            await bench.ledger.recover()
            await bench.ledger.letGo()
            return end
        } catch is FaultyLedger.DiskFull {
            await bench.ledger.recover()
            await bench.ledger.letGo()
            return nil
        }
    }

    /// In the end, every delivery has one outcome; the ledger refuses a second one.
    ///
    /// Three runs for each policy and push size, with trouble until each is finished.
    @Test(
        "Every delivery gets one outcome despite random failures",
        arguments: 0..<9 as Range<UInt64>, [UnknownPolicy.resend, .hold])
    func everyDeliveryGetsOneOutcomeDespiteRandomFailures(
        seed: UInt64, onUnknown: UnknownPolicy
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let sharing = [1, 3, 20][Int(seed % 3)]
        let arrivals = Arrivals()
        let shared = random
        let bench = TestBench { platform, user, _ in
            var random = shared
            let reply = reply(using: &random)
            if mayHaveArrived(reply) { arrivals.add(user, on: platform) }
            return reply
        }
        let campaign = try TestBench.campaign(
            platforms: [.apns, .fcm],
            delivery: DeliveryPolicy(
                rate: 40, concurrency: 8, recipientsPerPush: sharing, onUnknown: onUnknown))
        var end: RunResult?
        for _ in 0..<500 where end != .finished && end != .alreadyFinished {
            end = try await live(bench, campaign, using: &random)
        }
        let run = try #require(try await bench.ledger.runs(campaign: nil, limit: 1).first)
        #expect(run.state == .finished)
        let outcomes = try await bench.ledger.outcomes(run.id)
        #expect(outcomes.total == 240)
        #expect(outcomes[.notAttempted] == 0)
        #expect(outcomes[.accepted] > 80)
        #expect(try await bench.ledger.runs(campaign: nil, limit: 9).count == 1)
        let numbers = Set(bench.sender.sent.map(\.username))
        #expect(sharing > 1 || numbers.count == 120)
        if onUnknown == .hold, sharing == 1 { #expect(arrivals.most == 1) }
        #expect(bench.clock.mostMovers == 1, "whoever works on a run waits for one time")
    }
}
