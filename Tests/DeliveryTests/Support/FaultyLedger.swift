import CampaignCore
import FoundationEssentials
import Storage
import TestSupport

@testable import SQLiteDriver

/// A store that can be made to fail. No time passes while it works or deliveries are `sending`.
///
/// It is stricter than a store: it refuses to work for a cancelled task, and to record deliveries
/// that are not `sending`. Code shared by all stores runs in its own transactions, which it
/// forwards to the store.
actor FaultyLedger: RunLedger, RelationalStore {
    enum Call: Hashable, Sendable {
        case record, claimNext, claimAgain, append
    }

    struct DiskFull: Error, Equatable {}
    struct NoSuchRun: Error {}
    struct NotSending: Error {}
    struct NotWaiting: Error {}

    struct Key: Hashable, Sendable {
        var number: Int
        var platform: Platform
    }

    struct Row: Sendable {
        enum State: Hashable, Sendable {
            case sending, waiting
            case ended(Outcome)
        }
        var state: State
        var attempts = 0
        var isUncertain = false
        var detail = ""
    }

    struct Staged: Sendable {
        var shared: NewNotification?
        var recipients: [StagedRecipient] = []
    }

    /// More people than any test uses.
    private static let everybody = 1_000_000

    nonisolated let keyring: PayloadKeyring
    private let clock: TestClock
    private let options = StoreOptions(payloadKey: .given(.random()))
    private var opened: (folder: TemporaryFolder, store: SQLiteStore)?
    private(set) var staged: [RunID: Staged] = [:]
    /// Batches in order of writing, to check their size and number.
    private(set) var batches: [[DeliveryRecord]] = []
    private(set) var largestAppend = 0
    private(set) var stopChecks = 0
    private(set) var revoked: Set<RunID> = []
    private(set) var claimCalls = 0
    private(set) var mostSending = 0
    private var sending: [RunID: Set<Key>] = [:]
    /// Deliveries that are `sending` and hold the clock, because their process is alive.
    private var held: [RunID: Set<Key>] = [:]
    private var records: [RunID: [Key: DeliveryRecord]] = [:]
    /// A claim that waits until the test opens the gate.
    private var gate: (claim: Int, reached: Signal, opened: Signal)?
    private var failures: [Call: Int] = [:]
    /// How many calls succeed before every call fails; nil means all.
    private var callsLeft: Int?

    init(clock: TestClock) {
        self.clock = clock
        keyring = PayloadKeyring(besideStoreAt: "store.sqlite", options: options)
    }

    // MARK: Faults

    /// Makes a call fail after it has worked `count` times.
    func fail(_ call: Call, after count: Int) {
        failures[call] = count
    }

    /// Makes every call fail after `count` more, like a killed process.
    func failEverything(after count: Int?) {
        callsLeft = count
    }

    func recover() {
        failures = [:]
        callsLeft = nil
    }

    func hold(claim number: Int, reached: Signal, until opened: Signal) {
        gate = (number, reached, opened)
    }

    /// Lets time pass although deliveries are `sending`, because their process is dead.
    func letGo() {
        let count = held.values.reduce(0) { $0 + $1.count }
        held = [:]
        clock.release(count)
    }

    /// Lets an earlier campaign reach these people, so that a frequency cap of one skips them.
    func protect(_ names: [String]) async throws {
        var generator = SystemRandomNumberGenerator()
        let run = RunRecord(
            id: RunID(checked: "20270115T080000Z-abcdef"), campaign: "earlier", hub: TestBench.hub,
            occurrence: .once, isRehearsal: false, state: .staging, kind: .alert,
            platforms: [.apns], isMessagePrivate: false, campaignPath: "/campaigns/earlier.yaml",
            delivery: DeliveryPolicy(), fingerprints: [:], started: TestBench.start,
            expires: TestBench.start.addingTimeInterval(86_400))
        let store = try store()
        try await store.begin(run)
        try await store.store(
            NewNotification(
                id: .random(using: &generator), type: nil, texts: Texts(message: "Hi"),
                content: .none),
            of: run.id)
        try await store.append(
            names.sorted().map { StagedRecipient(username: Username(checked: $0)) }, to: run.id)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: names.count))
        let claims = try await store.claimNext(
            run.id, platform: .apns, limit: names.count, cap: nil, at: TestBench.start
        ).claims
        try await store.record(
            claims.map { claim in
                DeliveryRecord(
                    number: claim.number, platform: .apns, state: .ended(.accepted), attempts: 1,
                    isUncertain: false, detail: "", hubMessage: nil, recordedAt: TestBench.start)
            }, requests: claims.count, of: run.id)
    }

    /// Lets people fetch what a run sent them.
    func fetch(_ names: [String], of run: RunID) async throws {
        let store = try store()
        for person in names.map(Username.init(checked:)) {
            guard let row = try await store.reportRows(run, of: person).first,
                let received = try await store.notification(
                    row.notification, for: person, hasContent: false)
            else { throw NoSuchRun() }
            try await store.record(
                [Receipt(place: received.place, kind: .fetched, time: TestBench.start)])
        }
    }

    // MARK: Results

    /// The recorded deliveries, as stored.
    func rows(of run: RunID) async throws -> [Key: Row] {
        let store = try store()
        guard let platforms = try await store.run(run)?.platforms else { return [:] }
        var rows: [Key: Row] = [:]
        let report = try await store.reportPage(run, after: 0, recipients: Self.everybody).rows
        for (index, row) in report.enumerated() where row.recordedAt != nil {
            let key = Key(number: index / platforms.count + 1, platform: row.platform)
            rows[key] = Row(
                state: .ended(row.outcome), attempts: row.attempts,
                isUncertain: records[run]?[key]?.isUncertain ?? false, detail: row.detail)
        }
        for platform in platforms {
            let waiting = try await store.waiting(
                run, platform: platform, after: 0, through: nil, limit: Self.everybody)
            let interrupted = try await store.interrupted(
                run, platform: platform, after: 0, limit: Self.everybody)
            for claim in waiting {
                rows[Key(number: claim.number, platform: platform)]?.state = .waiting
            }
            for claim in interrupted {
                let key = Key(number: claim.number, platform: platform)
                rows[key, default: Row(state: .sending)].state = .sending
            }
        }
        return rows
    }

    private func store() throws -> SQLiteStore {
        if let opened { return opened.store }
        let folder = try TemporaryFolder(isInMemory: true)
        let store = try SQLiteStore.open(at: folder.file("store.sqlite"), options: options)
        opened = (folder, store)
        return store
    }

    private func check(_ call: Call? = nil) throws {
        try Task.checkCancellation()
        if let left = callsLeft {
            guard left > 0 else { throw DiskFull() }
            callsLeft = left - 1
        }
        guard let call, let left = failures[call] else { return }
        guard left > 0 else { throw DiskFull() }
        failures[call] = left - 1
    }

    private func call<Value: Sendable>(
        _ call: Call? = nil, _ work: (SQLiteStore) async throws -> Value
    ) async throws -> Value {
        try check(call)
        clock.hold()
        defer { clock.release() }
        return try await work(store())
    }

    private func began(_ keys: [Key], of run: RunID) {
        sending[run, default: []].formUnion(keys)
        held[run, default: []].formUnion(keys)
        mostSending = max(mostSending, sending.values.reduce(0) { $0 + $1.count })
        clock.hold(keys.count)
    }

    // MARK: Transactions

    func query<Value: Sendable>(
        isLong: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await call { try await $0.query(isLong: isLong, body) }
    }

    func update<Value: Sendable>(
        isOfRun: Bool, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await call { try await $0.update(isOfRun: isOfRun, body) }
    }

    // MARK: Calls that only a store in a file has

    func begin(_ run: RunRecord, expecting people: Int) async throws {
        try await call { try await $0.begin(run, expecting: people) }
    }

    func finishStaging(_ run: RunID, counts: AudienceCounts) async throws {
        try await call { try await $0.finishStaging(run, counts: counts) }
    }

    func verify(_ run: RunID) async throws {
        try await call { try await $0.verify(run) }
    }

    func forgotten(among people: [Username]) async throws -> Set<Username> {
        try await call { try await $0.forgotten(among: people) }
    }

    // MARK: Calls that tests break or observe

    func stopRequest(_ run: RunID) async throws -> StopMode? {
        let request = try await call { try await $0.stopRequest(run) }
        stopChecks += 1
        return request
    }

    func store(_ notification: NewNotification, of run: RunID) async throws {
        try await call { try await $0.store(notification, of: run) }
        staged[run, default: Staged()].shared = notification
    }

    func append(_ recipients: [StagedRecipient], to run: RunID) async throws {
        try await call(.append) { try await $0.append(recipients, to: run) }
        largestAppend = max(largestAppend, recipients.count)
        staged[run, default: Staged()].recipients += recipients
    }

    func claimNext(
        _ run: RunID, platform: Platform, wave: Int?, limit: Int, cap: FrequencyCap?,
        at time: Date
    ) async throws -> ClaimedPage {
        try check(.claimNext)
        claimCalls += 1
        if claimCalls == gate?.claim {
            gate?.reached.happen()
            await gate?.opened.wait()
        }
        clock.hold()
        defer { clock.release() }
        let page = try await store().claimNext(
            run, platform: platform, wave: wave, limit: limit, cap: cap, at: time)
        began(page.claims.map { Key(number: $0.number, platform: platform) }, of: run)
        return page
    }

    func claimAgain(_ run: RunID, platform: Platform, numbers: [Int], at time: Date) async throws {
        let keys = numbers.map { Key(number: $0, platform: platform) }
        try await call(.claimAgain) { store in
            for key in keys {
                guard records[run]?[key]?.state == .waiting,
                    sending[run]?.contains(key) != true
                else { throw NotWaiting() }
            }
            try await store.claimAgain(run, platform: platform, numbers: numbers, at: time)
            began(keys, of: run)
        }
    }

    func record(_ records: [DeliveryRecord], requests: Int, of run: RunID) async throws {
        try await call(.record) { store in
            batches.append(records)
            for record in records {
                let key = Key(number: record.number, platform: record.platform)
                guard sending[run]?.contains(key) == true else { throw NotSending() }
            }
            try await store.record(records, requests: requests, of: run)
            for record in records {
                let key = Key(number: record.number, platform: record.platform)
                self.records[run, default: [:]][key] = record
                sending[run]?.remove(key)
                if held[run]?.remove(key) != nil { clock.release() }
            }
        }
    }

    func revoke(_ run: RunID, at time: Date) async throws {
        try await call { try await $0.revoke(run, at: time) }
        revoked.insert(run)
    }
}
