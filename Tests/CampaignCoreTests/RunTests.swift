import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded) struct RunTests {
    @Test("Outcomes that were never counted have a count of zero")
    func outcomesThatWereNeverCountedHaveACountOfZero() {
        let counts = OutcomeCounts()
        #expect(Outcome.allCases.map { counts[$0] } == [0, 0, 0, 0, 0, 0])
        #expect(counts.total == 0)
    }

    @Test("Outcomes and platforms are numbered in order of declaration")
    func outcomesAndPlatformsAreNumberedInOrderOfDeclaration() {
        #expect(Outcome.allCases.map(\.number) == Array(Outcome.allCases.indices))
        #expect(Platform.allCases.map(\.number) == Array(Platform.allCases.indices))
    }

    @Test("Waves that begin at the same time are shown as one wave")
    func wavesThatBeginAtTheSameTimeAreShownAsOneWave() {
        func outcomesOfWave(
            _ number: Int, _ recipients: ClosedRange<Int>, opens: Int, closes: Int?, _ zone: String,
            _ outcomes: [Outcome: Int]
        ) -> WaveOutcomes {
            WaveOutcomes(
                wave: RunWave(
                    number: number, recipients: recipients,
                    windows: SendWindows(windows: [SendWindows.Window(opens: opens, closes: closes)]
                    ),
                    zones: [zone]), outcomes: OutcomeCounts(outcomes))
        }
        let joined = WaveOutcomes.joined([
            outcomesOfWave(1, 1...2, opens: 60, closes: 120, "Europe/Berlin", [.accepted: 2]),
            outcomesOfWave(
                2, 3...5, opens: 60, closes: 180, "Asia/Kathmandu", [.accepted: 1, .failed: 2]),
            outcomesOfWave(3, 6...6, opens: 180, closes: nil, "UTC", [.notAttempted: 1]),
        ])
        #expect(joined.map(\.wave.recipients) == [1...5, 6...6])
        #expect(joined.map(\.wave.zones) == [["Asia/Kathmandu", "Europe/Berlin"], ["UTC"]])
        #expect(
            joined.map(\.outcomes) == [
                OutcomeCounts([.accepted: 3, .failed: 2]), OutcomeCounts([.notAttempted: 1]),
            ])
        #expect(WaveOutcomes.joined([]).isEmpty)
    }

    @Test("The total is the sum of all outcomes") func totalIsTheSumOfAllOutcomes() {
        var counts = OutcomeCounts([
            .accepted: 1, .rejected: 2, .failed: 4, .unknown: 8, .skipped: 16, .notAttempted: 32,
        ])
        #expect(counts.total == 63)
        #expect(counts.troubled == 14)
        counts[.accepted] += 1
        #expect(counts[.accepted] == 2)
        #expect(counts.total == 64)
    }

    @Test("Counts are equal whether or not a zero is stored")
    func countsAreEqualWhetherOrNotAZeroIsStored() {
        var counts = OutcomeCounts([.accepted: 1, .failed: 0])
        #expect(counts == OutcomeCounts([.accepted: 1]))
        counts[.accepted] = 0
        #expect(counts == OutcomeCounts())
    }

    @Test(
        "The names of outcomes never change",
        arguments: [
            (Outcome.accepted, "accepted"), (.rejected, "rejected"), (.failed, "failed"),
            (.unknown, "unknown"), (.skipped, "skipped"), (.notAttempted, "not_attempted"),
        ])
    func namesOfOutcomesNeverChange(outcome: Outcome, name: String) {
        #expect(outcome.rawValue == name)
    }

    @Test("A run has one delivery per recipient and platform")
    func runHasOneDeliveryPerRecipientAndPlatform() {
        let start = Date(timeIntervalSince1970: 0)
        let run = RunRecord(
            id: RunID(checked: "19700101T000000Z-abcdef"), campaign: "welcome",
            hub: HubIdentity(host: "local", name: "hub"), occurrence: .once, isRehearsal: false,
            state: .running, kind: .rich, platforms: [.apns, .wns], isMessagePrivate: false,
            campaignPath: "/welcome.yaml", delivery: DeliveryPolicy(), fingerprints: [:],
            counts: AudienceCounts(named: 12, duplicate: 1, excluded: 1, final: 10),
            started: start, expires: start)
        #expect(run.recipients == 10)
        #expect(run.deliveries == 20)
    }

    @Test("The minimum of an audience is at least one") func minimumOfAnAudienceIsAtLeastOne() {
        #expect(AudienceRule(minimum: 0).minimum == 1)
        #expect(AudienceRule(minimum: -5, maximum: 3).minimum == 1)
        #expect(AudienceRule().maximum == nil)
    }

    @Test("By default, an alert is held if its response was lost")
    func byDefaultAnAlertIsHeldIfItsResponseWasLost() {
        #expect(UnknownPolicy.standard(for: .secure) == .resend)
        #expect(UnknownPolicy.standard(for: .rich) == .resend)
        #expect(UnknownPolicy.standard(for: .alert) == .hold)
    }

    @Test("The delivery defaults match the documentation")
    func deliveryDefaultsMatchTheDocumentation() {
        let policy = DeliveryPolicy()
        #expect(policy.rate == 500)
        #expect(policy.concurrency == 64)
        #expect(policy.retry == RetryLimits(attempts: 5, duration: .seconds(900)))
        #expect(policy.finishWithin == .seconds(86_400))
    }
}
