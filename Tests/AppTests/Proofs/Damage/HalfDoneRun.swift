import CampaignCore
import Delivery
import Foundation
import Logging
import SQLiteDriver
import Storage
import TestSupport

/// The store files of a half-done run, to continue copies of it.
struct HalfDoneRun: Sendable {
    /// The way in which the process that started the run ended.
    enum End: CaseIterable, Sendable {
        /// It was killed, and its last writes are only in the log. Everybody shares one
        /// notification.
        case killed
        /// It ended normally, and everything is in the store's file. Each person has a
        /// notification.
        case closed
        /// It ended normally, after the run was finished.
        case finished
    }

    struct Continuation: Sendable {
        let result: Result<RunSummary, any Error>
        /// Empty if the continuation failed.
        let rows: [ReportRow]
        let sent: [(target: String, body: String)]
    }

    static let platforms: [Platform] = [.apns, .fcm]
    private static let hub = HubIdentity(host: "hub.example", name: "main")
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    let files: [String: [UInt8]]
    let ids: [String: String]
    let accepted: Set<String>

    private let people: [String]
    private let campaign: Campaign

    init(_ end: End) async throws {
        people = Campaigns.people(28)
        campaign = try Self.campaign(end)
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        let store = try SQLiteStore.open(at: path)
        let run = try await Self.stage(campaign, people, end, in: store)
        // The last two deliveries of each page are uncertain, and the two before them wait for
        // another try.
        var accepted: Set<String> = []
        let claimed = end == .finished ? [[people.count], [people.count]] : [[9, 11], [14]]
        let left = end == .finished ? 0 : 4
        for (platform, counts) in zip(Self.platforms, claimed) {
            for count in counts {
                let claims = try await store.claimNext(
                    run, platform: platform, limit: count, cap: nil, at: Self.start
                ).claims
                let records = claims.dropLast(left / 2).enumerated().map { index, claim in
                    DeliveryRecord(
                        number: claim.number, platform: platform,
                        state: index < count - left ? .ended(.accepted) : .waiting, attempts: 1,
                        isUncertain: false, detail: "", hubMessage: nil, recordedAt: Self.start)
                }
                try await store.record(records, requests: records.count, of: run)
                for claim in claims.prefix(count - left) {
                    accepted.insert("\(claim.username)/\(platform.rawValue)")
                }
            }
        }
        self.accepted = accepted
        let rows = try await store.reportPage(run, after: 0, recipients: 99).rows
        ids = Dictionary(
            rows.map { ("\($0.recipient)/\($0.platform.rawValue)", $0.notification.text) },
            uniquingKeysWith: { $1 })
        if end != .killed {
            try await store.setState(
                end == .closed ? .paused : .finished, reason: end == .closed ? "why" : nil,
                of: run, at: Self.start)
            try store.close()
        }
        var files: [String: [UInt8]] = [:]
        for suffix in ["", "-wal", "-shm", ".mark", ".key"]
        where FileManager.default.fileExists(atPath: path + suffix) {
            files[suffix] = try Array(Data(contentsOf: URL(filePath: path + suffix)))
        }
        self.files = files
        if end == .killed { try store.close() }
    }

    private static func stage(
        _ campaign: Campaign, _ people: [String], _ end: End, in store: SQLiteStore
    ) async throws -> RunID {
        var generator = SeededGenerator(seed: 5)
        let run = RunRecord(
            id: .make(startingAt: start, using: &generator), campaign: campaign.name, hub: hub,
            occurrence: .once, isRehearsal: false, state: .staging, kind: campaign.kind,
            platforms: platforms, isMessagePrivate: false, campaignPath: "/c/spring.yaml",
            delivery: campaign.delivery, fingerprints: campaign.fingerprints, started: start,
            expires: start.addingTimeInterval(7 * 86_400))
        let notification = {
            NewNotification(
                id: .random(using: &generator), type: nil, texts: Texts(message: "There is news."),
                content: .text("All about it.", mediaType: "text/plain"))
        }
        try await store.begin(run)
        if end == .killed { try await store.store(notification(), of: run.id) }
        try await store.append(
            people.map {
                StagedRecipient(
                    username: Username(checked: $0),
                    notification: end == .killed ? nil : notification())
            }, to: run.id)
        try await store.finishStaging(
            run.id, counts: AudienceCounts(named: people.count, final: people.count))
        return run.id
    }

    private static func campaign(_ end: End) throws -> Campaign {
        Campaign(
            name: "spring", description: nil, kind: end == .killed ? .rich : .secure,
            platforms: platforms, audience: AudienceRule(minimum: 1, maximum: nil),
            payload: Payload(
                texts: Texts(message: LocalizedTemplate(try MessageTemplate("There is news."))),
                type: nil, content: .text(try MessageTemplate("All about it.")),
                isMessagePrivate: false, expiresAfter: .seconds(7 * 86_400)),
            delivery: DeliveryPolicy(rate: nil), fingerprints: ["audience": "1"])
    }

    /// Runs the campaign on the given files (by name suffix), as the next call of the program
    /// would.
    func run(on files: [String: [UInt8]]) async throws -> Continuation {
        let folder = try TemporaryFolder()
        for (suffix, bytes) in files {
            try folder.write(bytes, to: "store.sqlite" + suffix, mode: 0o600)
        }
        let path = folder.file("store.sqlite")
        let sender = CountingSender()
        do {
            let store = try SQLiteStore.open(at: path)
            do {
                let summary = try await run(on: store, at: path, sender)
                let rows = try await store.reportPage(
                    summary.record.id, after: 0, recipients: 999
                ).rows
                try store.close()
                return Continuation(result: .success(summary), rows: rows, sent: sender.all)
            } catch {
                // A store that has failed may fail again.
                do { try store.close() } catch let second {
                    return Continuation(result: .failure(second), rows: [], sent: sender.all)
                }
                throw error
            }
        } catch {
            return Continuation(result: .failure(error), rows: [], sent: sender.all)
        }
    }

    private func run(
        on store: SQLiteStore, at path: String, _ sender: CountingSender
    ) async throws -> RunSummary {
        var runner = CampaignRunner(
            ledger: store, sender: sender, lock: StoreLock(ofStoreAt: path),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        runner.now = { Self.start + 60 }
        let request = RunRequest(
            campaign: campaign, hub: Self.hub, campaignPath: "/c/spring.yaml")
        guard try await RunStep(for: request, in: store).stagesAudience else {
            return try await runner.run(request, to: nil)
        }
        // If the store has lost the run, it starts over and sends to everybody.
        let audience = try await CampaignPlanner(ledger: nil).plan(
            campaign, audience: NamedPeople(names: people),
            sorter: try SQLiteSorter(besideStoreAt: path), now: Self.start)
        return try await runner.run(request, to: audience)
    }
}
