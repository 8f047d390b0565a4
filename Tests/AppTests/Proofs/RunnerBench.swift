import CampaignCore
import Delivery
import Foundation
import LocalHub
import Logging
import NotificationHubs
import SQLiteDriver
import Storage
import TestSupport

/// A runner with a real store on disk and a real client, but without the rest of the program.
struct RunnerBench: Sendable {
    static let hub = HubIdentity(host: "hub.example", name: "main")

    let people: [String]
    var platforms: [Platform] = [.apns, .fcm]
    var kind: CampaignKind = .secure
    var delivery = DeliveryPolicy(rate: nil)
    var options = StoreOptions()
    /// The timeout of a request, long enough for a busy machine.
    var patience: Duration = .seconds(120)
    var clock: any Clock<Duration> = ContinuousClock()
    var now: @Sendable () -> Date = { Date() }
    private let folder: TemporaryFolder

    init(people: [String]) throws {
        self.people = people
        folder = try TemporaryFolder()
    }

    var path: String { folder.path }
    var storePath: String { folder.file("store.sqlite") }

    /// Begins or continues the campaign's run.
    func run(at address: LocalHubAddress) async throws -> RunSummary {
        let store = try SQLiteStore.open(at: storePath, options: options)
        let client = try NotificationHubClient(
            connectionString: ConnectionString(
                parsing: address.connectionString(.developmentFull)),
            hubName: HubName(address.hubName),
            settings: HubClientSettings(
                concurrency: delivery.concurrency, requestTimeout: patience))
        do {
            let summary = try await run(on: store, with: client)
            try await client.shutdown()
            try store.close()
            return summary
        } catch {
            try await client.shutdown()
            try store.close()
            throw error
        }
    }

    /// The report's rows in name order.
    func rows(of run: RunID) async throws -> [ReportRow] {
        let store = try SQLiteStore.openForReading(at: storePath)
        let rows = try await store.reportPage(run, after: 0, recipients: people.count).rows
        try store.close()
        return rows
    }

    private func run(
        on store: SQLiteStore, with client: NotificationHubClient
    ) async throws -> RunSummary {
        var runner = CampaignRunner(
            ledger: store, sender: HubPushSender(client: client),
            lock: StoreLock(ofStoreAt: storePath),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        runner.clock = clock
        runner.now = now
        let campaign = try campaign()
        let request = RunRequest(
            campaign: campaign, hub: Self.hub, campaignPath: folder.file("spring.yaml"))
        let audience = try await CampaignPlanner(ledger: nil).plan(
            campaign, audience: NamedPeople(names: people),
            sorter: try SQLiteSorter(besideStoreAt: storePath), now: now())
        return try await runner.run(request, to: audience)
    }

    private func campaign() throws -> Campaign {
        let text = try MessageTemplate("There is news.")
        return Campaign(
            name: "spring", description: nil, kind: kind, platforms: platforms,
            audience: AudienceRule(minimum: 1, maximum: nil),
            payload: Payload(
                texts: Texts(message: kind == .alert ? LocalizedTemplate(text) : nil), type: nil,
                content: kind == .alert ? nil : .text(text), isMessagePrivate: false,
                expiresAfter: .seconds(7 * 86_400)),
            delivery: delivery, fingerprints: [:])
    }
}
