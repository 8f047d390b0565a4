import TestSupport
import Testing

@testable import CampaignFormat

/// Tests silent pushes of several campaigns to the same people.
@Suite(.bounded) struct SilentScheduleTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["all.txt", "other.txt"] { try folder.write("alice\nbob\n", to: name) }
    }

    private func hints(on campaigns: [String]) throws -> [Diagnostic] {
        let schedules = try campaigns.enumerated().map { number, campaign in
            let loaded = try folder.load(campaign, name: "\(100 + number).yaml")
            #expect(!loaded.diagnostics.hasErrors, "\(loaded.diagnostics.map(\.message.text))")
            return loaded.lint.silentSchedule
        }
        return SilentSchedule.remarks(on: schedules.compactMap(\.self))
    }

    /// The hints for campaigns with these schedules, in this order.
    private func hints(
        _ schedules: [String], audience: String = "files: [all.txt]", platforms: String = "[apns]",
        payload: String = "text: Hello", rest: String = ""
    ) throws -> [Diagnostic] {
        try hints(
            on: schedules.map {
                TemporaryFolder.campaign(
                    platforms: platforms, audience: audience, payload: payload,
                    rest: "schedule: { \($0), time_zone: Europe/Berlin }\n\(rest)")
            })
    }

    /// Campaigns for these people, all at the same minute of every day.
    private func hints(naming people: [[String]]) throws -> [Diagnostic] {
        try hints(
            on: people.map {
                TemporaryFolder.campaign(
                    audience: "usernames: [\($0.joined(separator: ", "))]",
                    rest: "schedule: { cron: \"0 9 * * *\", time_zone: UTC }")
            })
    }

    private static let four = [
        "cron: \"0 9 * * *\"", "cron: \"15 9 * * mon\"", "cron: \"30 8-10 * * 1-5\"",
        "cron: \"45 9 * * MON\"",
    ]

    @Test("More than three silent pushes an hour produce a hint at the last campaign")
    func moreThanThreeSilentPushesAnHourProduceAHintAtTheLastCampaign() throws {
        #expect(try hints(Array(Self.four.dropLast())).isEmpty)
        let found = try hints(Self.four)
        let hint = try #require(found.first)
        #expect(found.count == 1)
        #expect(hint.rule == "silent-budget" && hint.severity == .hint)
        #expect(hint.file == folder.file("103.yaml"))
        #expect(hint.range.line == 6 && hint.range.column == 1)
        #expect(
            hint.message.text
                == "Together with 3 other campaigns, this campaign sends 4 silent pushes to the same people within an hour; iOS delivers only two or three an hour per app."
        )
        #expect(hint.related.map(\.file) == ["100.yaml", "101.yaml", "102.yaml"].map(folder.file))
    }

    @Test("People listed one by one are also counted")
    func peopleListedOneByOneAreAlsoCounted() throws {
        #expect(try hints(Self.four, audience: "usernames: [alice, bob]").count == 1)
    }

    @Test("A smaller group within a reported group is not reported")
    func smallerGroupWithinAReportedGroupIsNotReported() throws {
        // Alice gets all five pushes, and bob gets the first four.
        let found = try hints(
            naming: Array(repeating: ["alice", "bob"], count: 4) + [["alice"]])
        #expect(found.map(\.file) == [folder.file("104.yaml")])
        #expect(found.first?.message.text.contains("sends 5 silent pushes") == true)
    }

    @Test("A campaign gets one hint, even if it is the last of several groups")
    func campaignGetsOneHintEvenIfItIsTheLastOfSeveralGroups() throws {
        let found = try hints(
            naming: [["a"], ["a"], ["a"], ["b"], ["b"], ["b"], ["a", "b"]])
        #expect(found.map(\.file) == [folder.file("106.yaml")])
    }

    @Test("Only a limited number of groups is checked, and a hint says so")
    func onlyALimitedNumberOfGroupsIsCheckedAndAHintSaysSo() throws {
        // Each person is in 14 of 16 campaigns. This results in 120 groups, and no group contains
        // another.
        let pairs = (0..<16).flatMap { one in (one + 1..<16).map { (one, $0) } }
        let people = (0..<16).map { campaign in
            pairs.filter { $0.0 != campaign && $0.1 != campaign }.map { "user-\($0.0)-\($0.1)" }
        }
        #expect(pairs.count > SilentSchedule.mostGroups)
        let found = try hints(naming: people)
        #expect(found.count { $0.message.text.hasPrefix("Only the 100 largest groups") } == 1)
        let reported = found.filter {
            $0.message.text.hasPrefix("Together with 13 other campaigns")
        }
        #expect(reported.count == found.count - 1)
        #expect(Set(reported.map(\.file)).count == reported.count)
    }

    @Test("Excluded people are not counted") func excludedPeopleAreNotCounted() throws {
        let names = "usernames: [alice, bob], exclude: { usernames: "
        #expect(try hints(Self.four, audience: names + "[bob] }").count == 1)
        let files = "files: [all.txt], exclude: { files: [other.txt] }"
        #expect(try hints(Self.four, audience: files).isEmpty)
        let apart = Self.four.enumerated().map { number, schedule in
            TemporaryFolder.campaign(
                audience: names + "[\(number < 2 ? "alice" : "bob")] }",
                rest: "schedule: { \(schedule), time_zone: UTC }")
        }
        #expect(try hints(on: apart).isEmpty)
    }

    @Test("An hour can begin at any minute and can extend into the next week")
    func hourCanBeginAtAnyMinuteAndCanExtendIntoTheNextWeek() throws {
        let two = ["cron: \"50,59 23 * * sat\"", "cron: \"0,49 0 * * 7\""]
        #expect(try hints(two).count == 1)
        #expect(try hints([two[0], "cron: \"0,50 0 * * 7\""]).isEmpty)
    }

    @Test("A single start is counted together with the weekly starts")
    func singleStartIsCountedTogetherWithTheWeeklyStarts() throws {
        let three = Array(Self.four.dropLast())
        #expect(try hints(three + ["at: 2030-12-02T09:10"]).count == 1)
        #expect(try hints(three + ["at: 2030-12-02T10:10"]).isEmpty)
        #expect(try hints(three + ["at: 2030-12-03T09:10"]).isEmpty)
        #expect(try hints((0...3).map { "at: 2030-12-02T09:0\($0)" }).count == 1)
    }

    @Test("Uncertain times and visible pushes do not count")
    func uncertainTimesAndVisiblePushesDoNotCount() throws {
        #expect(try hints(Self.four, platforms: "[fcm]").isEmpty)
        #expect(try hints(Self.four, payload: "text: Hello, placeholder: News").isEmpty)
        let cap = "delivery: { frequency_cap: { pushes: 3, per: 1h } }"
        #expect(try hints(Self.four, rest: cap).isEmpty)
        #expect(try hints(Array(repeating: "cron: \"0 9 1 * *\"", count: 4)).isEmpty)
        // The first campaign is reported separately.
        #expect(try hints(["cron: \"*/5 * * * *\"", "cron: \"0 9 * * *\""]).isEmpty)
    }

    @Test("Campaigns for different people are counted separately")
    func campaignsForDifferentPeopleAreCountedSeparately() throws {
        let first = try hints(Array(Self.four.prefix(2)))
        #expect(first.isEmpty)
        let apart = Self.four.enumerated().map { number, schedule in
            TemporaryFolder.campaign(
                audience: "files: [\(number < 2 ? "all" : "other").txt]",
                rest: "schedule: { \(schedule), time_zone: UTC }")
        }
        #expect(try hints(on: apart).isEmpty)
    }
}
