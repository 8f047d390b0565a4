import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct AudienceTurnsTests {
    /// An audience that consists only of time zones.
    private struct Zoned: AudienceSorter {
        let counts: [ZoneCount]

        func zones() async -> [ZoneCount] { counts }
        func arrange(_ waves: [[String?]]) async {}
        func add(_ members: [AudienceMember]) async {}
        func exclude(_ members: [AudienceMember]) async {}
        func keep(_ people: [Username]) async {}
        func settle(only: [Username]?) async -> AudienceCounts { AudienceCounts(final: 2) }
        func valueConflicts() async -> ValueConflicts { ValueConflicts() }
        func unmatchedExclusions() async -> [Int: Int] { [:] }
        func caseConflicts(limit: Int) async -> [CaseConflict] { [] }
        func page(after number: Int, limit: Int) async -> [AudienceMember] { [] }
    }

    /// 2027-01-15T08:00:00Z.
    private static let start = Int(TestBench.start.timeIntervalSince1970)
    private static let atNine = SendTimeRule(quietHours: nil, localTime: 9 * 60, zone: .utc)

    private func windows(
        _ rule: SendTimeRule, _ counts: KeyValuePairs<String?, Int>
    ) async throws -> AudienceWindows {
        let counts = counts.map { ZoneCount(zone: $0.key, recipients: $0.value) }
        return try await AudienceWindows(rule, of: Zoned(counts: counts), in: TestZones())
    }

    private func groups(_ windows: AudienceWindows) -> [AudienceWindows.Group] {
        windows.groups(
            from: Self.start, through: TestBench.start.addingTimeInterval(7 * 86_400),
            besides: [:])
    }

    @Test("People with the same planned time are in one wave, earliest first")
    func peopleWithTheSamePlannedTimeAreInOneWaveEarliestFirst() async throws {
        // Nine o'clock has passed in the first zone, and is an hour away in the second.
        let windows = try await windows(Self.atNine, ["7200": 4, "0": 3, nil: 2, "-3600": 1])
        let waves = windows.waves(of: groups(windows))
        #expect(waves.map(\.number) == [1, 2, 3])
        #expect(waves.map(\.recipients) == [1...5, 6...6, 7...10])
        #expect(waves.map(\.zones) == [["0", "UTC"], ["-3600"], ["7200"]])
        #expect(waves.map { $0.windows.opens - Self.start } == [3_600, 7_200, 23 * 3_600])
    }

    @Test("Zones with different windows get separate waves")
    func zonesWithDifferentWindowsGetSeparateWaves() async throws {
        let rule = SendTimeRule(
            quietHours: QuietHours(from: 21 * 60, to: 8 * 60), localTime: nil, zone: .utc)
        let windows = try await windows(rule, ["0": 1, "3600": 1])
        let waves = windows.waves(of: groups(windows))
        #expect(waves.map { $0.windows.opens - Self.start } == [0, 0])
        #expect(waves.map(\.zones) == [["3600"], ["0"]], "whose window closes first goes first")
        #expect(waves[0].windows.closing(after: Self.start) == Self.start + 12 * 3_600)
    }

    @Test("A plan marks waves that begin after the deadline")
    func planMarksWavesThatBeginAfterTheDeadline() async throws {
        let windows = try await windows(Self.atNine, ["0": 3, "-3600": 1])
        let planned = windows.planned(
            groups(windows), before: TestBench.start.addingTimeInterval(7_200))
        #expect(
            planned == [
                PlannedWave(
                    opens: TestBench.start.addingTimeInterval(3_600), zones: ["0"], recipients: 3,
                    isTooLate: false),
                PlannedWave(
                    opens: TestBench.start.addingTimeInterval(7_200), zones: ["-3600"],
                    recipients: 1, isTooLate: true),
            ])
    }

    @Test("The start of a run is rounded down to the minute")
    func startOfARunIsRoundedDownToTheMinute() {
        #expect(TestBench.start.addingTimeInterval(59.9).minute == Self.start)
        #expect(TestBench.start.addingTimeInterval(60).minute == Self.start + 60)
    }

    @Test("The error about an unknown time zone names it") func errorAboutAnUnknownTimeZoneNamesIt()
        async throws
    {
        let problem = ZoneNotKnown(zone: "Mars/Olympus", recipients: 2, problem: .unknown)
        await #expect(throws: problem) {
            try await windows(Self.atNine, ["0": 1, "Mars/Olympus": 2])
        }
        #expect(
            problem.description
                == "2 people have the time zone Mars/Olympus, which this machine does not know. Nothing was "
                + "sent. Correct the zone in the audience.")
    }

    @Test("Rehearsals and campaigns without planned times have no waves")
    func rehearsalsAndCampaignsWithoutPlannedTimesHaveNoWaves() async throws {
        for (rule, expected) in [(nil, 0), (Self.atNine, 1)] as [(SendTimeRule?, Int)] {
            let planned = try await CampaignPlanner(zones: TestZones(), ledger: nil).plan(
                TestBench.campaign(sendTimes: rule), audience: ListedAudience(named: []),
                sorter: Zoned(counts: [ZoneCount(zone: "0", recipients: 2)]), now: TestBench.start)
            #expect(planned.plan.waves.count == expected)
        }
        let rehearsed = try await CampaignPlanner(zones: TestZones(), ledger: nil).plan(
            TestBench.campaign(sendTimes: Self.atNine), audience: ListedAudience(named: []),
            sorter: Zoned(counts: [ZoneCount(zone: "0", recipients: 2)]),
            for: .rehearsal(
                Rehearsal(
                    people: [Username(checked: "alice")], testers: [Username(checked: "alice")])),
            now: TestBench.start)
        #expect(rehearsed.plan.waves.isEmpty)
    }
}
