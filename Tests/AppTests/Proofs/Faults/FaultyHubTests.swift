import CampaignCore
import Delivery
import LocalHub
import TestSupport
import Testing

/// Sends thousands of pushes through a faulty hub, with a real store and real sockets.
@Suite(.apart) struct FaultyHubTests {
    /// How one delivery ended, according to the hub and the report.
    private struct Ending {
        var row: ReportRow
        var reactions: [FaultScript.Reaction]
        var received: [ReceivedPush]

        /// Whether there was a request whose outcome the client could not know.
        var wasInDoubt: Bool { reactions.contains { $0 != .taken && $0 != .throttled } }
    }

    private static let people = Campaigns.people(150)
    /// The campaign for tests that differ only in the policy.
    private static let few = Array(people.prefix(80))

    private func run(
        _ kind: CampaignKind, to people: [String] = people, seed: UInt64,
        recipientsPerPush: Int = 1, onUnknown: UnknownPolicy? = nil
    ) async throws -> (RunSummary, [Ending]) {
        let script = FaultScript(seed: seed)
        var bench = try RunnerBench(people: people)
        bench.kind = kind
        bench.delivery.recipientsPerPush = recipientsPerPush
        bench.delivery.onUnknown = onUnknown
        // The timeout for the two requests that hang; a shorter one could be too short on a busy
        // machine.
        bench.patience = .seconds(20)
        bench.clock = HurriedClock(factor: 10)
        return try await HubFixture.run(
            people: people, platforms: [.apns, .fcm], fault: script.fault
        ) { address, hub in
            let summary = try await bench.run(at: address)
            let history = script.history
            var endings: [Ending] = []
            for row in try await bench.rows(of: summary.record.id) {
                let name = row.platform.rawValue
                let received = await hub.received(by: row.recipient.text)
                endings.append(
                    Ending(
                        row: row, reactions: history["\(row.recipient.text)/\(name)"] ?? [],
                        received: received.filter { $0.platform.campaignName == name }))
            }
            #expect(endings.count == 2 * people.count)
            #expect(summary.record.requests == script.requests)
            return (summary, endings)
        }
    }

    /// Checks what must be true for every `on_unknown` policy.
    private func expectAgreement(
        _ kind: CampaignKind, _ summary: RunSummary, _ endings: [Ending]
    ) {
        #expect(summary.result == .finished)
        #expect(summary.outcomes.total == endings.count)
        #expect(summary.outcomes[.notAttempted] == 0)
        // Without any faults, the test would prove nothing.
        #expect(endings.count { $0.wasInDoubt } > endings.count / 50)
        for ending in endings {
            let target = "\(ending.row.recipient)/\(ending.row.platform)"
            let times = ending.reactions.count {
                $0 == .taken || $0 == .leftInDoubt(takesEffect: true)
            }
            #expect(ending.received.count == times, "\(target): the hub's own books")
            #expect(ending.row.attempts == ending.reactions.count, "\(target): a try is a request")
            let id = ending.row.notification.text
            #expect(kind == .alert || ending.received.allSatisfy { $0.text.contains(id) })
            switch ending.row.outcome {
            case .accepted: #expect(ending.reactions.last == .taken, "\(target)")
            case .unknown: #expect(ending.wasInDoubt, "\(target)")
            case .failed, .rejected: #expect(ending.received.isEmpty, "\(target)")
            case .skipped, .notAttempted: Issue.record("\(target) was left out")
            }
        }
    }

    @Test("With a faulty hub, nobody is lost, and the hub and the store agree")
    func withAFaultyHubNobodyIsLostAndTheHubAndTheStoreAgree() async throws {
        let (summary, endings) = try await run(.secure, seed: 11)
        expectAgreement(.secure, summary, endings)
        // Five failures in a row occur once in 300,000 deliveries.
        #expect(summary.outcomes[.accepted] >= endings.count - 2)
        for ending in endings where ending.row.outcome == .accepted {
            #expect(!ending.received.isEmpty, "\(ending.row.recipient) is missing at the hub")
        }
    }

    @Test("Under hold, nobody gets an alert twice, and alerts in doubt become unknown")
    func underHoldNobodyGetsAnAlertTwiceAndAlertsInDoubtBecomeUnknown() async throws {
        let (summary, endings) = try await run(.alert, seed: 12)
        expectAgreement(.alert, summary, endings)
        for ending in endings {
            #expect(ending.received.count <= 1, "\(ending.row.recipient) got two")
            #expect(ending.row.outcome == (ending.wasInDoubt ? .unknown : .accepted))
        }
    }

    @Test("The outcome of a shared request is recorded for each of its people")
    func outcomeOfASharedRequestIsRecordedForEachOfItsPeople() async throws {
        let (summary, endings) = try await run(.secure, seed: 13, recipientsPerPush: 5)
        expectAgreement(.secure, summary, endings)
        #expect(summary.record.requests < endings.count / 3)
        for ending in endings where ending.row.outcome == .accepted {
            #expect(!ending.received.isEmpty, "\(ending.row.recipient) is missing at the hub")
        }
    }

    @Test("on_unknown: hold works for silent pushes")
    func onUnknownHoldWorksForSilentPushes() async throws {
        let (summary, endings) = try await run(.secure, to: Self.few, seed: 14, onUnknown: .hold)
        expectAgreement(.secure, summary, endings)
        for ending in endings {
            #expect(ending.received.count <= 1, "\(ending.row.recipient) got two")
            #expect(ending.row.outcome == (ending.wasInDoubt ? .unknown : .accepted))
        }
    }

    @Test("on_unknown: resend works for alerts") func onUnknownResendWorksForAlerts() async throws {
        let (summary, endings) = try await run(.alert, to: Self.few, seed: 15, onUnknown: .resend)
        expectAgreement(.alert, summary, endings)
        #expect(summary.outcomes[.accepted] >= endings.count - 2)
    }
}
