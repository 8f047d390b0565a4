import CampaignCore
import Delivery
import Foundation
import GRDB
import LocalHub
import Storage
import Synchronization
import Testing

/// A store that another process, here the test's own, keeps locked.
@Suite struct LockedStoreTests {
    private static let people = Campaigns.people(150)

    private func workspace() throws -> Workspace {
        try Workspace([
            "notice.yaml": Campaigns.secure(
                to: Self.people, delivery: ["rate: 200/s", "concurrency: 8"])
        ])
    }

    @Test(.timeLimit(.minutes(5)))
    func aLockThatIsLetGoIsWaitedForInTheMiddleOfARun() async throws {
        let workspace = try workspace()
        let other = Mutex<OtherProcess?>(nil)
        let failure = Mutex<(any Error)?>(nil)
        let path = workspace.file(".hubsend/store.sqlite")
        try await HubFixture.run(
            people: Self.people, platforms: [.apns],
            fault: { send in
                // Half a second of pushes is claimed ahead, so requests go on while nothing can be written down.
                do {
                    if send.ordinal == 20 {
                        let process = try OtherProcess(locking: path)
                        other.withLock { $0 = process }
                    } else if send.ordinal == 70 {
                        try other.withLock { $0 }?.letGo()
                    }
                } catch {
                    failure.withLock { $0 = error }
                }
                return nil
            }
        ) { address, hub in
            let run = try await Binary.runOrKill(
                ["run", "notice.yaml"], in: workspace, environment: address.environment)
            #expect(failure.withLock { $0 } == nil)
            #expect(run.status == 0, "\(run.complaints)")
            #expect(hub.counts.sends == Self.people.count)
            #expect(try workspace.outcomeRows(of: "notice").count == Self.people.count)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func aLockThatStaysIsASentenceAndCodeSeventyFive() async throws {
        let workspace = try workspace()
        try workspace.write(Campaigns.secure("first"), to: "first.yaml")
        try await HubFixture.run(people: Self.people, platforms: [.apns]) { address, hub in
            let first = try await Binary.runOrKill(
                ["run", "first.yaml"], in: workspace, environment: address.environment)
            #expect(first.status == 0, "\(first.complaints)")
            let other = try OtherProcess(locking: workspace.file(".hubsend/store.sqlite"))
            let locked = try await Binary.runOrKill(
                ["run", "notice.yaml"], in: workspace, environment: address.environment)
            #expect(locked.status == 75, "\(locked.complaints)")
            #expect(locked.complaints.contains("in use by another process"))
            #expect(locked.complaints.contains("Run the same command again."))
            #expect(hub.counts.sends == 2, "nobody is sent what is not written down")

            try other.letGo()
            let rerun = try await Binary.runOrKill(
                ["run", "notice.yaml"], in: workspace, environment: address.environment)
            #expect(rerun.status == 0, "\(rerun.complaints)")
            #expect(hub.counts.sends == 2 + Self.people.count)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func aLockThatComesInTheMiddleAndStaysLosesNobody() async throws {
        var bench = try RoomBench(people: Self.people)
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
            #expect(summary.end == .finished)
            #expect(summary.outcomes == OutcomeCounts([.accepted: Self.people.count]))
            for person in Self.people {
                let pushes = await hub.received(by: person)
                #expect(!pushes.isEmpty, "\(person) is lost")
                #expect(pushes.count == 1 || remains.inDoubt.contains("\(person)/apns"))
            }
        }
    }
}

/// A transaction that nobody else can write beside.
private final class OtherProcess: Sendable {
    private let queue: DatabaseQueue

    init(locking path: String) throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(5)
        queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    }

    func letGo() throws {
        try queue.inDatabase { try $0.execute(sql: "COMMIT") }
        try queue.close()
    }
}
