import CampaignCore
import Foundation
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import App
@testable import Delivery

/// Tests a run that another host or an earlier call has staged and that continues without the
/// campaign's files.
@Suite(.bounded) struct StagedElsewhereTests {
    private let place: DueFixture

    init() throws {
        place = try DueFixture()
        try place.folder.write(
            """
            campaign: spring
            kind: alert
            platforms: [apns]
            audience: { files: [people.txt] }
            payload: { message: Hello }
            """, to: "spring.yaml")
    }

    private func settings(at hub: String = "") throws -> EffectiveSettings {
        try EffectiveSettings.load(
            SettingFlags(), campaigns: [place.folder.file("spring.yaml")],
            invocation: Invocation(
                hub.isEmpty
                    ? [:]
                    : ["HUBSEND_HUB_CONNECTION_STRING": hub, "HUBSEND_HUB_NAME": "main"]))
    }

    private func withCall(
        _ work: (RunCall, HubConnection) async throws -> [CampaignEnd]
    ) async throws -> [CampaignEnd] {
        var ends: [CampaignEnd] = []
        try await place.withHub { hub in
            let settings = try settings(at: hub)
            let connection = try HubConnection(hub)
            let call = RunCall(settings, .quiet(isJSON: true) { Issue.record($0) })
            ends = try await work(call, connection)
        }
        return ends
    }

    private func run() async throws -> [CampaignEnd] {
        try await withCall { call, connection in
            try await call.run([place.folder.file("spring.yaml")], at: connection)
        }
    }

    @Test(
        "A staged run continues without the campaign's files",
        arguments: [RunState.paused, .running])
    func stagedRunContinuesWithoutTheCampaignsFiles(state: RunState) async throws {
        let id = try await place.leave(
            "spring", "aaaaaa", as: .once, state, state == .paused ? .passing : nil)
        let ends = try await run()
        #expect(ends.count == 1 && ends.allSatisfy { $0.isDone })
        let store = try place.store()
        #expect(try await store.run(id)?.state == .finished)
        #expect(try await store.outcomes(id)[.accepted] == 2)
    }

    @Test("Resuming reads the delivery settings but no audience files")
    func resumingReadsTheDeliverySettingsButNoAudienceFiles() async throws {
        let id = try await place.leave("spring", "aaaaaa", as: .once, .paused, .passing)
        try place.folder.write(
            """
            campaign: spring
            kind: alert
            platforms: [apns]
            audience: { files: [people.txt] }
            payload: { message: Hello }
            delivery: { retry: { attempts: 3 } }
            """, to: "spring.yaml")
        let ends = try await withCall { call, connection in
            try await call.resume(id, at: connection)
        }
        #expect(ends.count == 1 && ends.allSatisfy { $0.isDone })
        let found = try await place.store().run(id)
        #expect(found?.state == .finished)
        #expect(found?.delivery.retry.attempts == 3)
    }

    @Test("A run that is not staged requires the campaign's files")
    func runThatIsNotStagedRequiresTheCampaignsFiles() async throws {
        await #expect(throws: Refused.findingsShown) { try await run() }
        #expect(!place.hasStore)
    }

    @Test("A run on another hub is mentioned") func runOnAnotherHubIsMentioned() async throws {
        let id = try await place.leave("spring", "aaaaaa", as: .once, .paused, .passing)
        let store = try place.store()
        let here = HubIdentity(host: "other.example", name: "main")
        let told = try await RunCall.runAtOtherHub("spring", otherThan: here, in: store)
        #expect(
            told?.hasPrefix("run \(id) of campaign spring goes to the hub 127.0.0.1/main,") == true)
        #expect(told?.contains("the settings here name other.example/main.") == true)
        let its = HubIdentity(host: "127.0.0.1", name: "main")
        #expect(try await RunCall.runAtOtherHub("spring", otherThan: its, in: store) == nil)
        try await store.setState(.finished, reason: nil, of: id, at: DueFixture.start)
        #expect(try await RunCall.runAtOtherHub("spring", otherThan: here, in: store) == nil)
    }

    // MARK: What is left to others

    private func left(_ cause: PauseCause, others: Int) -> RunSummary {
        var record = RunRecord(
            id: RunID(checked: "20270115T080000Z-aaaaaa"), campaign: "spring",
            hub: HubIdentity(host: "127.0.0.1", name: "main"), occurrence: .once,
            isRehearsal: false, state: .running, kind: .alert, platforms: [.apns],
            isMessagePrivate: false, campaignPath: "-", delivery: DeliveryPolicy(),
            fingerprints: [:], started: DueFixture.start, expires: DueFixture.start + 604_800)
        record.counts = AudienceCounts(named: 2, final: 2)
        return RunSummary(
            record: record, outcomes: OutcomeCounts([.accepted: 1, .notAttempted: 1]),
            result: .left(cause, reason: "Why.", others: others))
    }

    @Test("The metrics do not show a run as ended while others continue it")
    func metricsDoNotShowARunAsEndedWhileOthersContinueIt() {
        let figures = RunFigures(left(.cancelled, others: 1), ended: DueFixture.start)
        #expect(figures.state == .running)
        #expect(figures.finished == nil)
    }

    @Test("A process that leaves a run to others gives the reason and the report command")
    func processThatLeavesARunToOthersGivesTheReasonAndTheReport() throws {
        guard case .paused(.credentials) = CampaignEnd(left(.credentials, others: 1)) else {
            Issue.record("it is not the cause")
            return
        }
        let settings = try settings()
        for (others, words) in [
            (1, "; another process continues the run."),
            (3, "; 3 other processes continue the run."),
        ] {
            let summary = left(.credentials, others: others)
            let text = ConcludedRun(
                summary: summary,
                overview: RunOverview(run: summary.record, outcomes: summary.outcomes)
            ).sentence(settings.commandForm)
            #expect(text.contains("left after 1 of 2 deliveries\(words) Why."), "\(text)")
            #expect(text.contains(" report "), "\(text)")
            #expect(text.contains("20270115T080000Z-aaaaaa"), "\(text)")
        }
    }
}
