import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import App
@testable import Delivery

@Suite(.bounded) struct PreviewRemarksTests {
    private static let hub = HubIdentity(host: "hub.example", name: "news")
    private static let now = Date(timeIntervalSince1970: 1_796_115_600)

    private func remarks(
        _ counts: AudienceCounts, last: AudienceCounts? = nil, isFirst: Bool = false,
        outlook: PreviewOutlook = PreviewOutlook(action: .begin), isWhole: Bool = true,
        waves: [PlannedWave] = []
    ) throws -> [String] {
        let campaign = Campaign(
            name: "spring", description: nil, kind: .alert, platforms: [.apns],
            audience: AudienceRule(),
            payload: Payload(
                texts: Texts(message: LocalizedTemplate(try MessageTemplate("Hi"))), type: nil,
                content: nil, isMessagePrivate: false, expiresAfter: .seconds(60)),
            delivery: DeliveryPolicy(frequencyCap: FrequencyCap(pushes: 1, period: .seconds(60))),
            fingerprints: [:])
        let run = last.map(Self.run)
        let plan = CampaignPlan(
            counts: counts, problems: [], platforms: [], rate: nil, waves: waves)
        return PreviewRemarks(
            campaign: campaign, plan: plan, isWhole: isWhole, outlook: outlook,
            history: PreviewHistory(last: run, isFirst: isFirst), hub: Self.hub
        ).list.map(\.phrase.text)
    }

    private static func run(_ counts: AudienceCounts) -> RunRecord {
        RunRecord(
            id: RunID(checked: "20261103T090000Z-abcdef"), campaign: "spring", hub: hub,
            occurrence: .once, isRehearsal: false, state: .finished, kind: .alert,
            platforms: [.apns], isMessagePrivate: false, campaignPath: "/spring.yaml",
            delivery: DeliveryPolicy(), fingerprints: [:], counts: counts,
            started: now.addingTimeInterval(-28 * 86_400), finished: now, expires: now)
    }

    private func people(_ final: Int, excluded: Int = 0, duplicate: Int = 0) -> AudienceCounts {
        AudienceCounts(
            named: final + excluded + duplicate, duplicate: duplicate, excluded: excluded,
            final: final)
    }

    @Test("Only large changes in the size of the audience produce a remark")
    func onlyLargeChangesInTheSizeOfTheAudienceProduceARemark() throws {
        #expect(
            try remarks(people(8_800), last: people(10_000))
                == ["1,200 fewer people than in the run of 2026-11-03"])
        #expect(
            try remarks(people(11_000), last: people(10_000))
                == ["1,000 more people than in the run of 2026-11-03"])
        #expect(try remarks(people(9_500), last: people(10_000)) == [])
        #expect(try remarks(people(10_000), last: people(10_000)) == [])
    }

    @Test("A campaign's first send produces a remark") func campaignsFirstSendProducesARemark()
        throws
    {
        #expect(
            try remarks(people(2), isFirst: true)
                == ["first sending of this campaign to this hub (hub.example/news)"])
    }

    @Test("Many exclusions produce a remark only if the exclusions are new")
    func manyExclusionsProduceARemarkOnlyIfTheExclusionsAreNew() throws {
        #expect(
            try remarks(people(700, excluded: 300), last: people(700, excluded: 12))
                == [
                    "300 people are excluded, 30.0 % of the list; the previous run excluded 12"
                ])
        #expect(try remarks(people(700, excluded: 300), last: people(700, excluded: 290)) == [])
        #expect(try remarks(people(700, excluded: 300)).count == 1)
    }

    @Test("Before a run begins, people whose wave is too late produce a remark")
    func beforeARunBeginsPeopleWhoseWaveIsTooLateProduceARemark() throws {
        func wave(_ hours: Double, _ people: Int, isTooLate: Bool) -> PlannedWave {
            PlannedWave(
                opens: Self.now.addingTimeInterval(hours * 3_600), zones: ["UTC"],
                recipients: people, isTooLate: isTooLate)
        }
        let waves = [
            wave(0, 7, isTooLate: false), wave(25, 2, isTooLate: true),
            wave(26, 1, isTooLate: true),
        ]
        #expect(
            try remarks(people(10), waves: waves)
                == [PreviewRemark.waveTooLate(3, of: 10).phrase.text])
        let proceeding = PreviewOutlook(action: .proceed, deliveries: 3)
        #expect(try remarks(people(10), outlook: proceeding, waves: waves) == [])
        #expect(try remarks(people(10), waves: Array(waves.prefix(1))) == [])
    }

    @Test("Waves that begin at the same time are shown as one wave")
    func wavesThatBeginAtTheSameTimeAreShownAsOneWave() {
        func wave(_ hours: Double, _ people: Int, _ zone: String, isTooLate: Bool = false)
            -> PlannedWave
        {
            PlannedWave(
                opens: Self.now.addingTimeInterval(hours * 3_600), zones: [zone],
                recipients: people, isTooLate: isTooLate)
        }
        // The next quiet hours of these zones differ.
        let shown = PreviewWave.all(
            of: [
                wave(-0.01, 1, "Europe/Berlin"), wave(0, 2, "Asia/Kathmandu"),
                wave(5, 3, "America/New_York"), wave(30, 4, "Asia/Tokyo", isTooLate: true),
            ], seenFrom: Self.now)
        #expect(
            shown == [
                PreviewWave(opens: nil, zones: ["Asia/Kathmandu", "Europe/Berlin"], people: 3),
                PreviewWave(
                    opens: Self.now.addingTimeInterval(5 * 3_600), zones: ["America/New_York"],
                    people: 3),
                PreviewWave(
                    opens: Self.now.addingTimeInterval(30 * 3_600), zones: ["Asia/Tokyo"],
                    people: 4, isTooLate: true),
            ])
    }

    @Test("A run waits until its next wave begins") func runWaitsUntilItsNextWaveBegins() {
        var run = Self.run(people(10))
        run.state = .waiting
        run.resumes = Self.now.addingTimeInterval(60)
        #expect(run.waits(at: Self.now))
        #expect(!run.waits(at: Self.now.addingTimeInterval(60)))
        run.state = .paused
        #expect(!run.waits(at: Self.now))
    }

    @Test("Pushes that the frequency cap skips produce a remark")
    func pushesThatTheFrequencyCapSkipsProduceARemark() throws {
        let outlook = PreviewOutlook(action: .begin, deliveries: 10, capped: 3)
        #expect(
            try remarks(people(10), outlook: outlook)
                == ["\"frequency_cap\" (1 push per 1m) would skip 3 of 10 pushes now"])
    }

    @Test("Changes to a campaign since its staging produce a remark", arguments: [true, false])
    func changesToACampaignSinceItsStagingProduceARemark(isWhole: Bool) throws {
        let run = Self.run(people(10))
        let before = "the file has changed since run \(run.id) was staged (\"payload\"): "
        #expect(
            try remarks(
                people(10),
                outlook: PreviewOutlook(
                    action: .proceed, run: run, deliveries: 10, changed: ["payload"]),
                isWhole: isWhole)
                == [before + "the version staged then goes out, not this one"])
        #expect(
            try remarks(
                people(10),
                outlook: PreviewOutlook(
                    action: .nothing, run: run, deliveries: 0, changed: ["payload"]),
                isWhole: isWhole)
                == [before + "people got the version staged then, not this one"])
        #expect(
            try remarks(
                people(10), outlook: PreviewOutlook(action: .proceed, run: run, deliveries: 10),
                isWhole: isWhole) == [])
    }

    @Test("Many duplicate rows produce a remark") func manyDuplicateRowsProduceARemark() throws {
        #expect(
            try remarks(people(80, duplicate: 20))
                == ["20 names are duplicates, 20.0 % of the list"])
    }
}
