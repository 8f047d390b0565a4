import CampaignCore
import Foundation
import LocalHub
import Logging
import SQLiteDriver
import Storage
import Synchronization
import TestSupport

@testable import App

/// A folder with campaigns and a config, where the test chooses the time.
final class DueFixture: Sendable {
    /// 2027-01-15T08:00:00Z.
    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static let hub = HubIdentity(host: "127.0.0.1", name: "main")
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    let folder: TemporaryFolder
    private let complaints = Mutex<[String]>([])
    private let connections = Mutex(0)

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("store: store.sqlite\n", to: "hubsend.yaml", mode: 0o600)
    }

    /// The errors that were reported.
    var said: [String] { complaints.withLock(\.self) }
    /// The number of connections to the hub.
    var connected: Int { connections.withLock(\.self) }

    func write(
        _ name: String, schedule: String? = "cron: \"30 * * * *\"", in zone: String = "UTC",
        kind: String = "alert", to file: String? = nil
    ) throws {
        let line = schedule.map { "schedule: { \($0), time_zone: \(zone) }\n" } ?? ""
        try folder.write(
            """
            campaign: \(name)
            kind: \(kind)
            platforms: [apns]
            audience: { usernames: [alice, bob] }
            payload: { message: Hello }
            \(line)
            """, to: file ?? name + ".yaml")
    }

    func store() throws -> SQLiteStore { try SQLiteStore.open(at: folder.file("store.sqlite")) }

    var hasStore: Bool { FileManager.default.fileExists(atPath: folder.file("store.sqlite")) }

    func runs() async throws -> [RunRecord] {
        try await store().runs(campaign: nil, limit: 100).reversed()
    }

    func withHub(_ work: (String) async throws -> Void) async throws {
        var configuration = LocalHubConfiguration()
        configuration.hubName = Self.hub.name
        try await withLocalHub(
            configuration: configuration, logger: Self.quiet
        ) { address, _ in
            try await work(address.connectionString(.developmentFull))
        }
    }

    /// Calls `run --due`; returns how it ended, in words.
    ///
    /// - Parameters:
    ///   - seconds: the time of the call, in seconds after ``start``.
    ///   - path: the path to search, in the folder.
    /// - Returns: empty when nothing was due and nothing was reported.
    func call(
        _ seconds: Double, at hub: String, _ environment: [String: String] = [:],
        beneath path: String? = nil
    ) async -> [String] {
        let variables = [
            "HUBSEND_HUB_CONNECTION_STRING": hub, "HUBSEND_HUB_NAME": Self.hub.name,
        ].merging(environment) { $1 }
        var due = DueRuns(
            flags: SettingFlags(),
            invocation: Invocation(variables),
            order: .quiet { [self] error in complaints.withLock { $0.append("\(error)") } },
            now: { Self.start + seconds })
        due.machine = "one"
        due.connect = { [self] _, _, work in
            connections.withLock { $0 += 1 }
            return try await work(
                try HubConnection(hub, named: Self.hub.name))
        }
        return await due.work(on: [path.map(folder.file) ?? folder.path]).map(Self.word)
    }

    private static func word(_ end: CampaignEnd) -> String {
        switch end {
        case .done: "done"
        case .troubled: "troubled"
        case .stopped: "stopped"
        case .paused(let cause): "paused: \(cause)"
        case .unfinished: "unfinished"
        case .interrupted, .signalled: "interrupted"
        case .failed(let error as Refused) where error == .findingsShown: "faults"
        case .failed(let error): "failed: \(type(of: error))"
        }
    }

    /// Stores a staged run that has not sent anything.
    @discardableResult
    func leave(
        _ campaign: String, _ suffix: String, as occurrence: Occurrence, _ state: RunState,
        _ pause: RunPause? = nil, at hub: String = "main"
    ) async throws -> RunID {
        let id = RunID(checked: "20270115T080000Z-\(suffix)")
        let store = try store()
        try await store.begin(
            RunRecord(
                id: id, campaign: campaign, hub: HubIdentity(host: Self.hub.host, name: hub),
                occurrence: occurrence, isRehearsal: false, state: .staging, kind: .alert,
                platforms: [.apns], isMessagePrivate: false,
                campaignPath: folder.file(campaign + ".yaml"), delivery: DeliveryPolicy(),
                fingerprints: [:], started: Date(), expires: Date() + 604_800))
        var generator = SystemRandomNumberGenerator()
        try await store.store(
            NewNotification(
                id: .random(using: &generator), type: nil, texts: Texts(message: "Hello"),
                content: .none),
            of: id)
        let people = ["alice", "bob"].map { StagedRecipient(username: Username(checked: $0)) }
        try await store.append(people, to: id)
        try await store.finishStaging(id, counts: AudienceCounts(named: 2, final: 2))
        if state != .running {
            try await store.setState(
                state, reason: pause.map { _ in "Why." }, pause: pause, of: id, at: Self.start)
        }
        try store.close()
        return id
    }

    /// Stores later runs of a campaign, which are finished and have no recipients.
    func bury(_ campaign: String, beneath count: Int) async throws {
        let store = try store()
        var generator = SystemRandomNumberGenerator()
        for number in 1...count {
            let id = RunID.make(startingAt: Self.start, using: &generator)
            try await store.begin(
                RunRecord(
                    id: id, campaign: campaign, hub: Self.hub, occurrence: .again(id),
                    isRehearsal: false, state: .finished, kind: .alert, platforms: [.apns],
                    isMessagePrivate: false, campaignPath: "-", delivery: DeliveryPolicy(),
                    fingerprints: [:], started: Date() + Double(number), expires: Date()))
        }
        try store.close()
    }
}
