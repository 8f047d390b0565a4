import CampaignCore
import Delivery
import Foundation
import Storage
import Synchronization
import TestSupport
import Testing

@testable import App

/// Tests how `hubsend worker` reacts to events in its store, with a fake store.
@Suite(.bounded) struct WorkerLoopTests {
    private static let hub = HubIdentity(host: "local", name: "main")
    private let clock = SteppedClock()
    private let lines = LogLines()

    private static func run(_ number: Int) -> RunRecord {
        RunRecord(
            id: RunID(checked: "20261201T0900\(number + 10)Z-abcdef"), campaign: "spring\(number)",
            hub: hub, occurrence: .once, isRehearsal: false, state: .running, kind: .alert,
            platforms: [.apns], isMessagePrivate: false, campaignPath: "-",
            delivery: DeliveryPolicy(), fingerprints: [:], started: Date(), expires: Date())
    }

    private func loop(
        figures: WorkerFigures = WorkerFigures(),
        openRuns: @escaping @Sendable () async throws -> [RunRecord],
        otherHubs: @escaping @Sendable () -> Set<HubIdentity> = { [] },
        part: @escaping @Sendable (RunID) -> RunWorker? = { _ in nil },
        takePart: @escaping @Sendable (RunRecord) async throws -> RunResult? = { _ in nil }
    ) -> WorkerLoop {
        WorkerLoop(
            WorkerLoop.Operations(
                openRuns: openRuns, otherHubs: { otherHubs() }, part: { part($0) },
                wait: { [clock] in try await clock.sleep(for: $0) }, takePart: takePart),
            figures: figures, clock: clock, logger: lines.logger)
    }

    private func work(_ loop: WorkerLoop, until milestone: Milestone) async {
        let work = Task { await loop.work() }
        await milestone.wait()
        work.cancel()
        await work.value
    }

    private struct Parts {
        var running = 0
        var most = 0
        var done: Set<RunID> = []
    }

    @Test("A worker joins every run, but only a limited number at once")
    func workerJoinsEveryRunButOnlyALimitedNumberAtOnce() async throws {
        let all = (0..<20).map(Self.run)
        let parts = Watched(Parts())
        let (gate, end) = (Milestone(), Milestone())
        let loop = loop(
            openRuns: {
                let done = parts.value.done
                return all.filter { !done.contains($0.id) }
            },
            takePart: { run in
                parts.update {
                    $0.running += 1
                    $0.most = max($0.most, $0.running)
                }
                await gate.wait()
                let count = parts.update { parts in
                    parts.running -= 1
                    parts.done.insert(run.id)
                    return parts.done.count
                }
                if count == all.count { end.reach() }
                return .finished
            })
        let opening = Task {
            try await parts.wait { $0.running == WorkerLoop.most }
            gate.reach()
        }
        await work(loop, until: end)
        try await opening.value
        #expect(parts.value.most == WorkerLoop.most)
        #expect(parts.value.done.count == all.count)
        #expect(lines.all == [])
    }

    @Test("A failing run is retried with growing delays and reported once")
    func failingRunIsRetriedWithGrowingDelaysAndReportedOnce() async {
        let tries = Mutex<[Duration]>([])
        let end = Milestone()
        let loop = loop(
            openRuns: { [Self.run(0)] },
            takePart: { [clock] _ in
                let count = tries.withLock { tries in
                    tries.append(clock.elapsed)
                    return tries.count
                }
                if count == 9 { end.reach() }
                // The last tries fail for a different reason. Different IDs in the responses do not
                // make a reason different.
                let answer = "TrackingId:\(UUID())_G0,TimeStamp:\(count)"
                return .left(
                    .credentials,
                    reason: (count < 8 ? "The key is wrong." : "The key is old.") + answer,
                    others: 1)
            })
        await work(loop, until: end)
        let times = tries.withLock(\.self)
        for (index, least) in [1, 2, 4, 8, 16, 32, 60, 60].enumerated() {
            #expect(times[index + 1] - times[index] >= .seconds(least), "\(index)")
        }
        #expect(lines.all.count == 2, "\(lines.all)")
        #expect(lines.all.first?.contains("reason=The key is wrong.") == true)
        #expect(lines.all.last?.contains("reason=The key is old.") == true)
    }

    @Test("A worker waits for an unreachable store and reports it once")
    func workerWaitsForAnUnreachableStoreAndReportsItOnce() async {
        let checks = Mutex<[Duration]>([])
        let end = Milestone()
        let figures = WorkerFigures(clock: clock)
        let loop = loop(
            figures: figures,
            openRuns: { [clock] in
                let count = checks.withLock { checks in
                    checks.append(clock.elapsed)
                    return checks.count
                }
                guard count > 5 else {
                    throw StoreError.connectionLost(.server("postgresql://db/hubsend"))
                }
                if count == 7 { end.reach() }
                return []
            })
        #expect(!figures.health.isHealthy)
        await work(loop, until: end)
        let times = checks.withLock(\.self)
        #expect(
            zip(times, times.dropFirst()).prefix(5).map { $1 - $0 }
                == [1, 2, 4, 8, 10].map { .seconds($0) })
        #expect(lines.all.count == 2, "\(lines.all)")
        #expect(lines.all.first?.hasPrefix("The store cannot be used") == true)
        #expect(lines.all.first?.contains("same command") == false)
        #expect(lines.all.last?.hasPrefix("The store can be reached again") == true)
    }

    @Test("A stopped worker starts nothing and finishes the pushes in flight")
    func stoppedWorkerStartsNothingAndFinishesThePushesInFlight() async {
        let (begun, drained) = (Milestone(), Milestone())
        let checks = Mutex(0)
        let loop = loop(
            openRuns: {
                checks.withLock { $0 += 1 }
                return [Self.run(0)]
            },
            takePart: { _ in
                begun.reach()
                await Milestone().wait()
                drained.reach()
                return .left(.cancelled, reason: "The run was interrupted.", others: 1)
            })
        await work(loop, until: begun)
        #expect(drained.isReached)
        #expect(lines.all.allSatisfy { !$0.contains("does not take part") }, "\(lines.all)")
    }

    @Test("Runs on another hub are reported once") func runsOnAnotherHubAreReportedOnce() async {
        let checks = Mutex(0)
        let end = Milestone()
        let loop = loop(
            openRuns: {
                if checks.withLock({
                    $0 += 1; return $0
                }) == 5 {
                    end.reach()
                }
                return []
            }, otherHubs: { [HubIdentity(host: "other.example", name: "news")] })
        await work(loop, until: end)
        #expect(lines.all.count == 1, "\(lines.all)")
        #expect(lines.all.first?.contains("hub=other.example/news") == true)
    }

    // MARK: Figures

    private func part(_ id: Int64, rate: Double) -> RunWorker {
        RunWorker(
            id: id, process: WorkerProcess(host: "a", number: 1, version: "0.1.0"), joined: Date(),
            seen: Date(), report: WorkerReport(rate: rate))
    }

    @Test("If a run gets a new part, a lost lease is counted")
    func ifARunGetsANewPartALostLeaseIsCounted() {
        let figures = WorkerFigures(clock: clock)
        let run = Self.run(0).id
        figures.begin(run)
        figures.note(part(1, rate: 100), of: run)
        figures.note(part(1, rate: 50), of: run)
        #expect(figures.metrics.contains("\nhubsend_worker_leases_lost_total 0\n"))
        figures.note(part(7, rate: 24.999_999_9), of: run)
        #expect(figures.metrics.contains("\nhubsend_worker_leases_lost_total 1\n"))
        #expect(figures.metrics.contains("\nhubsend_worker_rate 25.0\n"))
        #expect(figures.metrics.contains("\nhubsend_worker_runs 1\n"))
        figures.end(run)
        figures.note(part(9, rate: 25), of: run)
        #expect(figures.metrics.contains("\nhubsend_worker_leases_lost_total 1\n"))
        #expect(figures.metrics.contains("\nhubsend_worker_runs 0\n"))
        #expect(!figures.metrics.contains("hubsend_worker_rate "))
    }

    @Test("The hub's responses are counted by their meaning")
    func hubsResponsesAreCountedByTheirMeaning() {
        let figures = WorkerFigures(clock: clock)
        figures.note([
            PushResult(number: 0, disposition: .accepted),
            PushResult(number: 1, disposition: .accepted, requests: 2),
            PushResult(number: 2, disposition: .retry(after: nil, cause: .throttled)),
            PushResult(number: 3, disposition: .notSent, requests: 0),
        ])
        #expect(figures.metrics.contains("\nhubsend_worker_requests_total 4\n"))
        #expect(figures.metrics.contains("{answer=\"accepted\"} 2\n"))
        #expect(figures.metrics.contains("{answer=\"retry\"} 1\n"))
        #expect(figures.metrics.contains("{answer=\"stop\"} 0\n"))
    }

    @Test("A worker that cannot reach the store for 30 seconds is unhealthy")
    func workerThatCannotReachTheStoreFor30SecondsIsUnhealthy() {
        let figures = WorkerFigures(clock: clock)
        figures.noteStore()
        clock.move(by: .seconds(30))
        #expect(figures.health.isHealthy)
        #expect(figures.metrics.contains("\nhubsend_worker_store_up 1\n"))
        clock.move(by: .seconds(1))
        #expect(!figures.health.isHealthy)
        #expect(figures.health.text.contains("for 31 seconds"))
        #expect(figures.metrics.contains("\nhubsend_worker_store_up 0\n"))
    }
}
