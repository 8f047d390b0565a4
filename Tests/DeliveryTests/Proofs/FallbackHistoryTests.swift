import CampaignCore
import FoundationEssentials
import Storage
import TestSupport
import Testing

@testable import Delivery

/// Random events between a run and its fallback.
///
/// Only people who did not fetch get a fallback: once, and never after a stop, a revocation or the
/// expiry.
@Suite(.bounded) struct FallbackHistoryTests {
    @Test(
        "A fallback is sent once to people who did not fetch, but never after a stop",
        arguments: 1...6 as ClosedRange<UInt64>)
    func fallbackIsSentOnceToPeopleWhoDidNotFetchButNeverAfterAStop(seed: UInt64) async throws {
        var history = try FallbackHistory(seed: seed)
        for _ in 1...40 { try await history.proceed() }
    }
}

/// A campaign that is sent, fetched, stopped and revoked at random, with changing exclusions.
private struct FallbackHistory {
    private static let after = 1_800.0
    private static let expiry = 10_800

    private struct Place: Hashable {
        let name: String
        let platform: Platform
    }

    /// What the test knows about a run.
    private struct Sending {
        let record: RunRecord
        let reached: Set<Place>
        let latest: Date?
        var fetched: Set<String> = []
        var isEnded = false
        /// Its fallback was sent, or no recipients were left for it.
        var isFollowed = false
    }

    private let bench: TestBench
    private let campaign: Campaign
    private let names: [String]
    private var random: SeededGenerator
    private var excluded: Set<String> = []
    private var sendings: [Sending] = []

    init(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let luck = SeededGenerator(seed: seed &+ 1_000)
        bench = TestBench { _, _, _ in
            var luck = luck
            return .now(Int.random(in: 0..<5, using: &luck) == 0 ? .rejected : .accepted)
        }
        campaign = try TestBench.campaignWithFallback(
            platforms: [.apns, .fcm], expiresAfter: .seconds(Self.expiry))
        names = (1...Int.random(in: 4...12, using: &random)).map { "u\(100 + $0)" }
        self.random = random
    }

    private var audience: ListedAudience {
        ListedAudience(
            named: ListedAudience.people(names), excluded: ListedAudience.people(excluded.sorted()))
    }

    /// Does something random, then what `run --due` does.
    mutating func proceed() async throws {
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: try await send()
        case 2, 3, 4: try await fetch()
        case 5: excluded = Set(names.shuffled(using: &random).prefix(names.count / 2))
        case 6: try await end()
        default: try await bench.pass(Int.random(in: 60...1_500, using: &random))
        }
        try await fallBack()
    }

    private mutating func send() async throws {
        guard sendings.count < 5 else { return }
        let people = ListedAudience.people(names.filter { !excluded.contains($0) })
        let record = try await bench.run(campaign, people: people, mode: .again).record
        let rows = try await rows(of: record.id).filter { $0.outcome == .accepted }
        sendings.append(
            Sending(
                record: record, reached: Set(rows.map(Self.place)),
                latest: rows.compactMap(\.recordedAt).max()))
        // Run IDs contain the second of their start.
        try await bench.pass(2)
    }

    private mutating func fetch() async throws {
        guard let index = sendings.indices.randomElement(using: &random), !sendings[index].isEnded
        else { return }
        let some = Set(sendings[index].reached.map(\.name)).sorted().shuffled(using: &random)
            .prefix(Int.random(in: 0...2, using: &random))
        try await bench.ledger.fetch(Array(some), of: sendings[index].record.id)
        sendings[index].fetched.formUnion(some)
    }

    private mutating func end() async throws {
        guard Bool.random(using: &random),
            let index = sendings.indices.randomElement(using: &random), !sendings[index].isEnded
        else { return }
        let id = sendings[index].record.id
        if Bool.random(using: &random) {
            try await bench.ledger.requestStop(id, .resumable)
        } else {
            _ = try await bench.stopper.stop(id, mode: .revoking)
        }
        sendings[index].isEnded = true
    }

    /// Does what `run --due` does, sometimes with an interruption first, and checks the result.
    private mutating func fallBack() async throws {
        let isNearExpiry = sendings.contains {
            (0..<60).contains($0.record.expires.timeIntervalSince(bench.now()))
        }
        if isNearExpiry { try await bench.pass(120) }
        let now = bench.now()
        let due = sendings.indices.filter { isDue(sendings[$0], at: now) }
        if Bool.random(using: &random) {
            await bench.ledger.fail(.append, after: 0)
            do {
                try await bench.fallBack(campaign, to: audience)
            } catch is FaultyLedger.DiskFull {
                // The next call completes the fallback.
            }
            await bench.ledger.recover()
        }
        let summaries = try await bench.fallBack(campaign, to: audience)
        var expected = 0
        for index in due {
            let places = left(of: sendings[index])
            sendings[index].isFollowed = true
            let parent = sendings[index].record.id
            let found = summaries.filter { $0.record.occurrence.fallbackOf == parent }
            #expect(found.count == (places.isEmpty ? 0 : 1))
            expected += found.count
            guard let fallback = found.first?.record else { continue }
            let shown = try await rows(of: fallback.id).filter { $0.outcome != .skipped }
            #expect(Set(shown.map(Self.place)) == places)
            #expect(fallback.expires <= sendings[index].record.expires)
        }
        #expect(summaries.count == expected, "no other run is followed")
    }

    private func isDue(_ sending: Sending, at now: Date) -> Bool {
        guard let latest = sending.latest else { return false }
        return !sending.isFollowed && !sending.isEnded && !sending.fetched.isEmpty
            && latest <= now.addingTimeInterval(-Self.after) && now < sending.record.expires
    }

    /// The recipients of a fallback.
    private func left(of sending: Sending) -> Set<Place> {
        sending.reached.filter {
            !sending.fetched.contains($0.name) && !excluded.contains($0.name)
        }
    }

    private func rows(of run: RunID) async throws -> [ReportRow] {
        try await bench.ledger.reportPage(run, after: 0, recipients: 100).rows
    }

    private static func place(_ row: ReportRow) -> Place {
        Place(name: row.recipient.text, platform: row.platform)
    }
}
