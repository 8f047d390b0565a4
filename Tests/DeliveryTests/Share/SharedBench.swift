import CampaignCore
import Delivery
import FoundationEssentials
import Logging
import PostgreSQLClient
import PostgreSQLDriver
import Storage
import Synchronization
import TestPostgreSQL
import TestSupport

/// A real store on a server, and hosts that each have a connection and a sender.
struct SharedBench: Sendable {
    let folder: TemporaryFolder
    let address: PostgreSQLAddress
    /// The database role that only this bench's sessions use.
    let role: String
    /// For queries and changes by the test itself.
    let store: PostgreSQLStore
    private let options: PostgreSQLStoreOptions

    /// - Parameter limit: how long hosts wait if the server does not answer.
    init(limit: Duration? = nil) async throws {
        let server = PostgreSQLServer.shared
        folder = try TemporaryFolder()
        role = try await server.roleWithStore()
        address = try await server.address(as: role)
        var options = PostgreSQLStoreOptions(keyFolder: folder.path, connections: 2)
        store = try PostgreSQLStore.open(at: address, options: options)
        if let limit { options.pool = .givingUp(after: limit) }
        self.options = options
    }

    /// - Parameter script: the result of a push, by its recipient and its number among the pushes
    ///   of this host.
    func host(
        _ name: String, _ script: @escaping HostSender.Script = { _, _ in .accepted }
    ) throws -> SharedHost {
        SharedHost(
            name: name, store: try PostgreSQLStore.open(at: address, options: options),
            sender: HostSender(script))
    }

    /// A host whose pushes wait; its first push reaches the first milestone.
    func waitingHost(
        _ name: String, _ disposition: PushDisposition = .accepted
    ) throws -> (SharedHost, begun: Milestone, proceed: Milestone) {
        let (begun, proceed) = (Milestone(), Milestone())
        let host = try host(name) { _, _ in
            begun.reach()
            await proceed.wait()
            return disposition
        }
        return (host, begun, proceed)
    }

    /// A host whose pushes hang from the sixth on; the sixth push reaches the milestone.
    func hangingHost(_ name: String) throws -> (SharedHost, hangs: Milestone) {
        let hangs = Milestone()
        let host = try host(name) { _, number in
            guard number >= 6 else { return .accepted }
            hangs.reach()
            await HostSender.hang()
            return .accepted
        }
        return (host, hangs)
    }

    var stopper: RunStopper { RunStopper(ledger: store, lock: store.campaignLock) }

    func run() async throws -> RunRecord {
        guard let run = try await store.runs(campaign: nil, limit: 1).first else {
            throw FaultyLedger.NoSuchRun()
        }
        return run
    }

    /// Executes statements in the schema, without a store.
    func execute(_ sql: String) async throws {
        let pool = PostgreSQLPool(address, options: PostgreSQLPoolOptions(connections: 1))
        defer { pool.close() }
        try await pool.withConnection { db in try db.executeScript(sql) }
    }

    /// A campaign without a rate, small enough that each host claims only a few pushes at a time.
    static func campaign(stopWhen: FailureLimit? = nil) throws -> Campaign {
        try TestBench.campaign(
            kind: .alert, message: "Hi",
            delivery: DeliveryPolicy(rate: nil, concurrency: 10, stopWhen: stopWhen))
    }
}

struct SharedHost: Sendable {
    let name: String
    let store: PostgreSQLStore
    let sender: HostSender
    /// Reached when this host knows that another host is working on the run.
    let hasOthers = Milestone()

    var process: WorkerProcess { WorkerProcess(host: name, number: 1, version: "1") }

    var runner: CampaignRunner {
        var runner = CampaignRunner(
            ledger: store, sender: sender, lock: store.campaignLock,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        runner.process = process
        runner.observe = { [hasOthers] in if $0.others > 0 { hasOthers.reach() } }
        return runner
    }

    /// Plans the campaign for this many people, and runs it.
    func run(_ campaign: Campaign? = nil, people: Int) async throws -> RunSummary {
        let campaign = try campaign ?? SharedBench.campaign()
        let audience = try await CampaignPlanner(zones: TestZones(), ledger: nil).plan(
            campaign, audience: ListedAudience(named: ListedAudience.people(count: people)),
            sorter: try TestBench.sorter(), now: Date())
        return try await runner.run(
            RunRequest(
                campaign: campaign, hub: TestBench.hub, campaignPath: "/campaigns/spring.yaml"),
            to: audience)
    }
}

/// The sender of a host.
///
/// It sends one push at a time; cancellation does not end a push in flight.
final class HostSender: PushSender {
    /// - Parameters: the recipient, and the push's number among those of this host, from 1.
    typealias Script = @Sendable (Username, Int) async -> PushDisposition

    private struct State: Sendable {
        var begun = 0
        var accepted: [String] = []
    }

    private let script: Script
    private let state = Mutex(State())

    init(_ script: @escaping Script) {
        self.script = script
    }

    /// The recipients whose pushes the hub accepted, in order.
    var accepted: [String] { state.withLock(\.accepted) }

    func describe(_ page: PushPage) -> PushRequest? { nil }

    func send(_ page: PushPage, handing results: @Sendable ([PushResult]) async -> Void) async {
        var isOver = false
        for push in page.pushes {
            guard !isOver, !Task.isCancelled, page.lease?.isHeld ?? true else {
                await results([
                    PushResult(number: push.number, disposition: .notSent, requests: 0)
                ])
                continue
            }
            let number = state.withLock { state in
                state.begun += 1
                return state.begun
            }
            let disposition = await script(push.usernames[0], number)
            if disposition == .accepted {
                state.withLock { $0.accepted.append(push.usernames[0].text) }
            }
            if case .stop = disposition { isOver = true }
            await results([PushResult(number: push.number, disposition: disposition)])
        }
    }

    /// A push that stays in flight until its page is cancelled.
    static func hang() async {
        await Milestone().wait()
    }
}
