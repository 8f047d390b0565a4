import CampaignCore
import Delivery
import FoundationEssentials
import Logging
import SQLiteDriver
import Storage
import Synchronization
import TestSupport

/// A runner with a real store, and fakes at its other ports.
struct TestBench: Sendable {
    static let hub = HubIdentity(host: "hub.example", name: "main")
    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    let clock = TestClock()
    let ledger: FaultyLedger
    let sender: ScriptedSender
    let lock = TestLock()
    let random = SeededGenerator(seed: 7)
    let progress = ProgressLog()

    init(_ script: @escaping ScriptedSender.Script = { _, _, _ in .now(.accepted) }) {
        self.ledger = FaultyLedger(clock: clock)
        self.sender = ScriptedSender(clock: clock, script: script)
    }

    var now: @Sendable () -> Date {
        { [clock] in Self.start.addingTimeInterval(clock.elapsed / .seconds(1)) }
    }

    var runner: CampaignRunner { runner() }

    func runner(
        patience: Duration = .zero,
        logger: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
        observeLock: @escaping @Sendable (String) -> Void = { _ in }
    ) -> CampaignRunner {
        var runner = CampaignRunner(ledger: ledger, sender: sender, lock: lock, logger: logger)
        runner.patience = patience
        runner.clock = clock
        runner.now = now
        runner.random = random
        runner.observe = { [progress] in progress.add($0) }
        runner.observeLock = observeLock
        return runner
    }

    var stopper: RunStopper {
        var stopper = RunStopper(ledger: ledger, lock: lock)
        stopper.clock = clock
        stopper.now = now
        return stopper
    }

    /// A sorter that never writes to the disk, because tests sort little.
    static func sorter() throws -> SQLiteSorter {
        let folder = FileManager.default.temporaryDirectory
        return try SQLiteSorter(besideStoreAt: folder.appending(path: "store.sqlite").path)
    }

    static func campaign(
        kind: CampaignKind = .secure, platforms: [Platform] = [.apns],
        minimum: Int = 1, maximum: Int? = nil, message: String? = nil, type: String? = nil,
        content: PayloadContent? = nil, isMessagePrivate: Bool = false,
        expiresAfter: Duration = .seconds(7 * 86_400), schedule: Schedule? = nil,
        sendTimes: SendTimeRule? = nil,
        delivery: DeliveryPolicy = DeliveryPolicy(),
        fingerprints: [String: String] = ["audience": "1", "payload": "1", "delivery": "1"]
    ) throws -> Campaign {
        let text = try MessageTemplate("Your statement")
        return Campaign(
            name: "spring", description: nil, kind: kind, platforms: platforms,
            audience: AudienceRule(minimum: minimum, maximum: maximum),
            payload: Payload(
                texts: Texts(
                    message: try message.map { LocalizedTemplate(try MessageTemplate($0)) }),
                type: try type.map { try MessageTemplate($0) },
                content: kind == .alert ? nil : content ?? .text(text),
                isMessagePrivate: isMessagePrivate, expiresAfter: expiresAfter),
            schedule: schedule, sendTimes: sendTimes, delivery: delivery, fingerprints: fingerprints
        )
    }

    /// Plans and runs a campaign.
    func run(
        _ campaign: Campaign, people: [AudienceMember], only: [Username]? = nil,
        mode: RunRequest.Mode = .occurrence(.once), plan: PlanID? = nil
    ) async throws -> RunSummary {
        let request = RunRequest(
            campaign: campaign, hub: Self.hub, mode: mode, campaignPath: "/campaigns/spring.yaml",
            plan: plan)
        guard try await RunStep(for: request, in: ledger).stagesAudience else {
            return try await runner.run(request, to: nil)
        }
        let audience = try await CampaignPlanner(zones: TestZones(), ledger: nil).plan(
            campaign, audience: ListedAudience(named: people), sorter: try TestBench.sorter(),
            for: try await choice(only, mode), now: now())
        return try await runner.run(request, to: audience)
    }

    private func choice(
        _ only: [Username]?, _ mode: RunRequest.Mode
    ) async throws -> PeopleChoice {
        if let only { return .rehearsal(Rehearsal(people: only)) }
        guard case .followUp(let outcomes) = mode else { return .all }
        guard
            let followUp = try await UnreachedPeople.last(
                of: "spring", with: outcomes, at: Self.hub, in: ledger)
        else { throw FaultyLedger.NoSuchRun() }
        return .followUp(followUp)
    }

    /// Stages a run, like a process that is killed before its first push.
    func stage(_ campaign: Campaign, people: [AudienceMember]) async throws -> RunID {
        await ledger.fail(.claimNext, after: 0)
        do {
            _ = try await run(campaign, people: people)
        } catch is FaultyLedger.DiskFull {
            await ledger.recover()
        }
        guard let run = try await ledger.runs(campaign: nil, limit: 1).first else {
            throw FaultyLedger.NoSuchRun()
        }
        return run.id
    }

    func timesSent(on platform: Platform = .apns) -> [String: Int] {
        sender.sent.filter { $0.platform == platform }
            .reduce(into: [:]) { $0[$1.username.text, default: 0] += 1 }
    }
}

final class ProgressLog: Sendable {
    private let entries = Mutex<[RunProgress]>([])

    var all: [RunProgress] { entries.withLock { $0 } }

    func add(_ progress: RunProgress) {
        entries.withLock { $0.append(progress) }
    }
}

extension RunResult {
    /// The reason why the run is paused; nil if it is not paused, or for another cause.
    func reason(toPause expected: PauseCause) -> String? {
        guard case .paused(expected, let reason) = self else { return nil }
        return reason
    }
}
