import CampaignCore
import Delivery
import Foundation
import GRDB
import LocalHub
import SQLiteDriver
import Storage
import Synchronization
import TestSupport
import Testing

/// A store that another process, here the test itself, keeps locked.
@Suite(.bounded) struct LockedStoreTests {
    private static let people = Campaigns.people(150)

    private func workspace() throws -> Workspace {
        try Workspace([
            "notice.yaml": Campaigns.secure(
                to: Self.people, delivery: ["rate: 200/s", "concurrency: 8"])
        ])
    }

    @Test("A run waits for a lock that is released")
    func runWaitsForALockThatIsReleased() async throws {
        var bench = try RunnerBench(people: Self.people)
        bench.platforms = [.apns]
        bench.delivery = DeliveryPolicy(rate: 200, concurrency: 8)
        // This is so long that only the lock can end a wait, even on a slow machine.
        bench.options.busyTimeout = .seconds(300)
        let visit = Mutex(Visit(path: bench.storePath))
        try await HubFixture.run(
            people: Self.people, platforms: [.apns],
            fault: { _ in
                visit.withLock { $0.request() }
                return nil
            }
        ) { address, hub in
            let summary = try await bench.run(at: address)
            try visit.withLock { try $0.expectEnd() }
            #expect(summary.result == .finished)
            #expect(summary.outcomes == OutcomeCounts([.accepted: Self.people.count]))
            #expect(hub.counts.sends == Self.people.count)
            #expect(try await bench.rows(of: summary.record.id).count == Self.people.count)
        }
    }

    @Test("A lock that is not released is explained, and the exit code is 75")
    func lockThatIsNotReleasedIsExplainedAndTheExitCodeIs75() async throws {
        let workspace = try workspace()
        try workspace.write(Campaigns.secure("first"), to: "first.yaml")
        try await HubFixture.run(people: Self.people, platforms: [.apns]) { address, hub in
            try await Binary.run(
                ["run", "first.yaml"], in: workspace, environment: address.environment, status: 0)
            let other = try OtherProcess(locking: workspace.file(".hubsend/store.sqlite"))
            let locked = try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: address.environment, status: 75)
            #expect(locked.complaints.contains("locked by another process for too long"))
            #expect(locked.complaints.contains("Run the same command again."))
            #expect(hub.counts.sends == 2, "nobody is sent what is not written down")

            try other.letGo()
            try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: address.environment, status: 0)
            #expect(hub.counts.sends == 2 + Self.people.count)
        }
    }

    @Test("A lock that is taken during a run and never released loses nobody")
    func lockThatIsTakenDuringARunAndNeverReleasedLosesNobody() async throws {
        var bench = try RunnerBench(people: Self.people)
        bench.platforms = [.apns]
        bench.delivery = DeliveryPolicy(rate: 400, concurrency: 8)
        bench.options.busyTimeout = .milliseconds(50)
        let other = Mutex<OtherProcess?>(nil)
        let failure = Mutex<(any Error)?>(nil)
        try await HubFixture.run(
            people: Self.people, platforms: [.apns],
            fault: { [path = bench.storePath] send in
                guard send.ordinal == 20 else { return nil }
                do {
                    let process = try OtherProcess(locking: path)
                    other.withLock { $0 = process }
                } catch {
                    failure.withLock { $0 = error }
                }
                return nil
            }
        ) { address, hub in
            let error = await #expect(throws: StoreError.self) {
                try await bench.run(at: address)
            }
            #expect(failure.withLock { $0 } == nil)
            #expect(error == .locked(.store(path: bench.storePath)))
            try other.withLock { $0 }?.letGo()

            let remains = try StoreRemains(in: bench.path, of: "spring")
            let summary = try await bench.run(at: address)
            #expect(summary.result == .finished)
            #expect(summary.outcomes == OutcomeCounts([.accepted: Self.people.count]))
            for person in Self.people {
                let pushes = await hub.received(by: person)
                #expect(!pushes.isEmpty, "\(person) is lost")
                #expect(pushes.count == 1 || remains.inDoubt.contains("\(person)/apns"))
            }
        }
    }
}

/// Locks the store in the middle of a run, and unlocks it once the run cannot continue.
private struct Visit {
    /// The lock was never taken or never released.
    struct Unfinished: Error {
        let requests: Int
    }

    let path: String
    private var requests = 0
    private var process: OtherProcess?
    private var last = Int.max
    private var failure: (any Error)?

    init(path: String) {
        self.path = path
    }

    /// Counts a request.
    ///
    /// Locks the store at the twentieth request, and unlocks it at the last request that was
    /// claimed by then.
    mutating func request() {
        requests += 1
        do {
            if requests == 20 {
                let process = try OtherProcess(locking: path)
                self.process = process
                last = try process.claimed()
            }
            if requests >= last, let process {
                self.process = nil
                try process.letGo()
            }
        } catch {
            failure = error
        }
    }

    func expectEnd() throws {
        if let failure { throw failure }
        guard process == nil, requests > 20 else { throw Unfinished(requests: requests) }
    }
}

/// A transaction that excludes other writers.
private final class OtherProcess: Sendable {
    private let queue: DatabaseQueue

    init(locking path: String) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(5)
        queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    }

    /// The number of claimed deliveries, which cannot grow while the store is locked.
    func claimed() throws -> Int {
        try queue.inDatabase {
            try Int.fetchOne($0, sql: "SELECT sum(claimed) FROM run_platforms") ?? 0
        }
    }

    func letGo() throws {
        try queue.inDatabase { try $0.execute(sql: "COMMIT") }
        try queue.close()
    }
}
