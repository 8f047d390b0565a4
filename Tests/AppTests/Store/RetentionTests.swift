import CampaignCore
import CampaignFormat
import Foundation
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import App

/// The config's `retention` deletes old data; commands then show what is left.
@Suite(.bounded) struct RetentionTests {
    private static let start = Date(timeIntervalSince1970: 1_796_112_000)
    private static let day = 86_400.0
    private static let hub = HubIdentity(host: "local", name: "hub")
    private static let old = RunID(checked: "20261201T080000Z-aaaaaa")
    private static let young = RunID(checked: "20261201T080000Z-bbbbbb")
    private static let now = start + 10 * day

    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder(isInMemory: true)
        store = try SQLiteStore.open(at: folder.file("store.sqlite"))
    }

    private func settings(_ retention: String = "") throws -> EffectiveSettings {
        let config = try folder.write(
            "store: store.sqlite\n\(retention)\n", to: "hubsend.yaml", mode: 0o600)
        return try EffectiveSettings.load(
            SettingFlags(config: config), campaigns: [],
            invocation: Invocation())
    }

    /// Stores a run for two people; one of them was refused.
    private func send(_ run: RunID, of campaign: String, ended: Date) async throws {
        var record = RunRecord.sample(campaign: campaign)
        (record.id, record.expires) = (run, Self.start + Self.day)
        try await store.stage(["alice", "bob"], of: record)
        try await store.record(
            [(1, .accepted, ""), (2, .rejected, "HTTP 400: bad")].map { number, outcome, detail in
                DeliveryRecord(
                    number: number, platform: .apns, state: .ended(outcome), attempts: 1,
                    isUncertain: false, detail: detail, hubMessage: nil, recordedAt: Self.start)
            }, requests: 2, of: run)
        try await store.setState(.finished, reason: nil, of: run, at: ended)
    }

    /// A store with a run whose deliveries were deleted, and a more recent run.
    private func applied() async throws {
        try await send(Self.old, of: "spring", ended: Self.start)
        try await send(Self.young, of: "summer", ended: Self.start + 9 * Self.day)
        let deleted = try await Retention.apply(
            try settings("retention: { payloads: 2d, deliveries: 10d }"), to: store, now: Self.now)
        #expect(deleted.payloads.notifications == 1)
        #expect(deleted.deliveries == DeletedDeliveries(runs: 1, people: 2))
    }

    private func record(_ run: RunID) async throws -> RunRecord {
        try #require(try await store.run(run))
    }

    private func rendered(
        _ report: some ReportOutput, _ format: ReportFormat
    ) async throws -> String {
        var bytes: [UInt8] = []
        try await report.render(format, style: .plain, width: nil) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("Old deliveries are deleted once, and newer ones are kept")
    func oldDeliveriesAreDeletedOnceAndNewerOnesAreKept() async throws {
        try await applied()
        #expect(try await record(Self.old).deliveriesDeleted == Self.now)
        #expect(try await record(Self.young).deliveriesDeleted == nil)
        let settings = try settings("retention: { payloads: 2d, deliveries: 10d }")
        let again = try await Retention.apply(settings, to: store, now: Self.now)
        #expect(!again.isNotEmpty)
        let report = ReportFile(store: store, record: try await record(Self.young))
        #expect(try await rendered(report, .csv).contains(",bob,apns,"))
    }

    @Test("Without retention in the config, everything is kept")
    func withoutRetentionInTheConfigEverythingIsKept() async throws {
        try await send(Self.old, of: "spring", ended: Self.start)
        for retention in ["", "retention: {}", "retention: { deliveries: 3660d }"] {
            let deleted = try await Retention.apply(
                try settings(retention), to: store, now: Self.start + 1_000 * Self.day)
            #expect(deleted == Retention.Deleted())
        }
        #expect(try await record(Self.old).deliveriesDeleted == nil)
    }

    @Test("A purge applies the retention, but a dry run deletes nothing")
    func purgeAppliesTheRetentionButADryRunDeletesNothing() async throws {
        try await send(Self.old, of: "spring", ended: Self.start)
        let settings = try settings("retention: { deliveries: 10d }")
        let purge = PayloadPurge(settings: settings, isQuiet: true, now: Self.now)
        try await purge.rehearse()
        #expect(try await record(Self.old).deliveriesDeleted == nil)
        try await purge.run()
        #expect(try await record(Self.old).deliveriesDeleted == Self.now)
    }

    @Test("A purge says what was deleted") func purgeSaysWhatWasDeleted() {
        func said(_ notifications: Int, _ deleted: DeletedDeliveries, isDryRun: Bool) -> [String] {
            PayloadPurge.sentences(
                PurgeCounts(notifications: notifications, bytes: notifications * 10), deleted,
                isDryRun: isDryRun)
        }
        #expect(said(0, DeletedDeliveries(), isDryRun: false) == ["There is nothing to delete."])
        #expect(
            said(2, DeletedDeliveries(runs: 1, people: 1_200), isDryRun: false) == [
                "The content of 2 payloads (20 bytes) was deleted.",
                """
                The recipients (1,200 people) and outcomes of 1 run were deleted, as the config's `retention` says; the \
                totals are kept.
                """,
            ])
        #expect(
            said(0, DeletedDeliveries(runs: 3, people: 1), isDryRun: true) == [
                """
                The recipients (1 person) and outcomes of 3 runs would be deleted, as the config's `retention` says; the \
                totals are kept.
                """
            ])
        #expect(
            said(0, DeletedDeliveries(continued: 1), isDryRun: false)
                == ["The deletion that an earlier command began for 1 run is complete."])
    }

    @Test("Totals are kept, and reports without recipients say that these were deleted")
    func totalsAreKeptAndReportsWithoutRecipientsSayThatTheseWere() async throws {
        try await applied()
        let run = try await record(Self.old)
        let report = ReportFile(store: store, record: run)
        let text = try await rendered(report, .text)
        #expect(text.contains("spring: finished, 1 of 2 pushes accepted"))
        #expect(text.contains("HTTP 400: bad"))
        #expect(
            text.contains("deleted on 2026-12-11 08:00:00 UTC by `retention`; the totals remain"))
        #expect(!text.contains("alice") && !text.contains("bob"))
        #expect(!text.contains("To write its report"))
        let error = StoreError.deliveriesDeleted(Self.old, Self.now)
        for format in [ReportFormat.csv, .jsonl, .html] {
            await #expect(throws: error) { _ = try await rendered(report, format) }
        }
        let details = try await RunDetails(of: run, in: store)
        let json = String(decoding: try RunJSON.details(details).line(), as: UTF8.self)
        #expect(json.contains(#""deliveries_deleted":"2026-12-11T08:00:00Z""#))
        #expect(json.contains(#""example":null"#))
        let lines = RunDocument(overview: details.overview).whole(details).text()
        #expect(lines.contains("deleted on 2026-12-11"))
        let period = PeriodReport(period: RunPeriod(), campaign: nil, store: store, made: Self.now)
        #expect(try await rendered(period, .csv).contains(Self.old.text))
    }

    @Test("A person's report leaves out runs whose deliveries were deleted")
    func personsReportLeavesOutRunsWhoseDeliveriesWereDeleted() async throws {
        try await applied()
        let alice = Username(checked: "alice")
        let text = try await rendered(PersonReport(store: store, user: alice), .text)
        #expect(text.contains(Self.young.text) && !text.contains(Self.old.text))
        #expect(
            text.hasSuffix(
                "\n1 older run is not listed: the recipients were deleted, as `retention` in the config says.\n"
            ))
        var bytes: [UInt8] = []
        try await DataExport(of: alice, in: store)
            .write(at: Self.now, shown: { _ in }) { bytes += $0 }
        let export = String(decoding: bytes, as: UTF8.self)
        #expect(export.contains(Self.young.text) && !export.contains(Self.old.text))
    }

    @Test(
        "An audience from deleted deliveries is refused, and the error gives the date",
        arguments: [
            ("runs: [{ campaign: NAME }]", 1),
            ("usernames: [bob], exclude: { runs: [{ campaign: NAME, optional: true }] }", 1),
        ])
    func audienceFromDeletedDeliveriesIsRefusedAndTheErrorGivesThe(audience: String, count: Int)
        async throws
    {
        try await applied()
        func people(of campaign: String) async throws -> Int {
            let text = """
                campaign: autumn
                kind: secure
                platforms: [apns]
                audience: { \(audience.replacing("NAME", with: campaign)) }
                payload: { text: Hello }
                """
            let loaded = CampaignFile.read(standardInput: Array(text.utf8))
            let people = try await EarlierRuns.read(.success(store), at: .success(Self.hub))
                .people(
                    for: try #require(loaded.campaign), in: "/", isFallback: false,
                    command: CommandForm())
            return people.named.count + people.excluded.count
        }
        #expect(try await people(of: "summer") == count)
        let fault = await #expect(throws: AudienceUnknown.self) { try await people(of: "spring") }
        let sentence = try #require(fault?.description)
        #expect(sentence.contains("campaign spring"))
        #expect(sentence.contains("were deleted on 2026-12-11 08:00:00 UTC"))
    }
}
