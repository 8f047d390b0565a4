import CampaignCore
import Delivery
import Foundation
import LocalHub
import Logging
import ProcessControl
import Storage
import Synchronization
import TestSupport
import Testing

@testable import App

/// Tests the telemetry of a run's messages, with a real local hub or with one that fails.
@Suite(.bounded) struct TelemetryInquiryTests {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// A hub that knows the result of every message until it fails.
    private final class Oracle: MessageTelemetry {
        private let failing: Set<String>
        let asked = Mutex<[String]>([])

        init(failing: Set<String> = []) {
            self.failing = failing
        }

        func fate(of message: String) async throws(HubInquiryFailure) -> MessageFate {
            asked.withLock { $0.append(message) }
            if failing.contains(message) { throw .passing("The hub is away.") }
            return .ended("Success")
        }
    }

    /// A campaign that was sent to a real local hub, in a folder with its store.
    private func afterRun(
        delivery: String = "{ rate: unlimited }",
        _ work: (EffectiveSettings, RunRecord, HubConnection) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            campaign: spring
            kind: alert
            platforms: [apns]
            audience: { usernames: [alice, bob, carol] }
            payload: { message: Hello }
            delivery: \(delivery)

            """, to: "spring.yaml")
        try await withLocalHub(
            configuration: LocalHubConfiguration(), logger: Self.quiet
        ) { address, _ in
            let string = address.connectionString(.developmentFull)
            let settings = try EffectiveSettings.load(
                SettingFlags(), campaigns: [folder.file("spring.yaml")],
                invocation: Invocation(["HUBSEND_HUB_CONNECTION_STRING": string]))
            let connection = try HubConnection(string, named: address.hubName)
            _ = try await RunCall(settings, .quiet { Issue.record($0) })
                .run([folder.file("spring.yaml")], at: connection)
            let store = try await settings.store.openForReading()
            let record = try #require(try await store.runs(campaign: nil, limit: 1).first)
            try store.close()
            try await work(settings, record, connection)
        }
    }

    private func words(_ settings: EffectiveSettings, _ run: RunID) async throws -> [String?] {
        let store = try await settings.store.openForReading()
        defer { #expect(throws: Never.self) { try store.close() } }
        return try await store.reportPage(run, after: 0, recipients: 9).rows.map(\.pushServices)
    }

    @Test("The hub is asked about each push once") func hubIsAskedAboutEachPushOnce() async throws {
        try await afterRun { settings, record, connection in
            let first = try await TelemetryInquiry.ask(
                about: record, at: connection, settings, logger: Self.quiet, observe: { _ in })
            #expect(first.answered == 3)
            #expect(first.sentence == nil)
            #expect(
                try await words(settings, record.id)
                    == ["NoTargetFound", "NoTargetFound", "NoTargetFound"])
            let second = try await TelemetryInquiry.ask(
                about: record, at: connection, settings, logger: Self.quiet, observe: { _ in })
            #expect(second == TelemetryInquiry.Result())
        }
    }

    @Test("Responses before a failure are kept, and the missing ones are requested later")
    func responsesBeforeAFailureAreKeptAndTheMissingOnesAreRequested() async throws {
        try await afterRun { settings, record, _ in
            let store = try await settings.store.open()
            let messages = try await store.untold(record.id, platform: .apns, after: 0, limit: 9)
            try #require(messages.count == 3)
            let failing = Oracle(failing: [messages[1].id])
            let fault = await #expect(throws: Refused.self) {
                _ = try await TelemetryInquiry(store: store).ask(about: record, of: failing)
            }
            #expect(fault?.status == .tryAgain)
            #expect(
                fault?.sentence.contains("happened to the messages. The hub is away. Earlier ")
                    == true)
            #expect(
                try await store.untold(record.id, platform: .apns, after: 0, limit: 9)
                    .contains(messages[1]))
            let whole = Oracle()
            _ = try await TelemetryInquiry(store: store).ask(about: record, of: whole)
            #expect(!whole.asked.withLock { $0 }.contains(messages[0].id))
            #expect(try await words(settings, record.id) == ["Success", "Success", "Success"])
            try store.close()
        }
    }

    /// A hub in the Free tier does not return message IDs.
    @Test("A hub that returned no IDs is not asked, and the user is informed")
    func hubThatReturnedNoIDsIsNotAskedAndTheUserIsInformed() async throws {
        try await afterRun { settings, record, connection in
            let store = try await settings.store.open()
            try await store.record(
                (1...3).map { number in
                    DeliveryRecord(
                        number: number, platform: .apns, state: .ended(.accepted), attempts: 1,
                        isUncertain: false, detail: "", hubMessage: nil, recordedAt: Date())
                }, requests: 0, of: record.id)
            let result = try await TelemetryInquiry(store: store).ask(about: record, of: Oracle())
            #expect(result.sentence?.contains("Free and Basic tiers") == true)
            try store.close()
        }
    }

    @Test("For a run with shared requests, nothing is asked, and the user is informed")
    func forARunWithSharedRequestsNothingIsAskedAndTheUserIsInformed() async throws {
        try await afterRun(delivery: "{ recipients_per_push: 3 }") { settings, record, _ in
            let store = try await settings.store.open()
            let oracle = Oracle()
            let result = try await TelemetryInquiry(store: store).ask(about: record, of: oracle)
            #expect(oracle.asked.withLock { $0.isEmpty })
            #expect(result.sentence?.contains("was for several people") == true)
            try store.close()
        }
    }

    @Test("A hub that did not receive the run is not asked")
    func hubThatDidNotReceiveTheRunIsNotAsked() async throws {
        try await afterRun { settings, record, connection in
            var other = record
            other.hub = HubIdentity(host: "news.servicebus.windows.net", name: "prod")
            await #expect(throws: Refused.self) {
                _ = try await TelemetryInquiry.ask(
                    about: other, at: connection, settings, logger: Self.quiet, observe: { _ in })
            }
        }
    }
}
