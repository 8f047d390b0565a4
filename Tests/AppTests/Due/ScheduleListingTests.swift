import CampaignCore
import CampaignFormat
import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct ScheduleListingTests {
    /// 2026-11-23T08:00:00Z.
    private let now = Date(timeIntervalSince1970: 1_795_420_800)

    private func campaign(_ name: String, _ schedule: String) -> String {
        """
        campaign: \(name)
        kind: secure
        platforms: [apns]
        audience: { usernames: [alice] }
        payload: { text: Hello }
        \(schedule.isEmpty ? "" : "schedule: { \(schedule), time_zone: UTC }")
        """
    }

    private func listing(
        _ files: [String: String], until end: Date? = nil
    ) async throws -> ScheduleListing {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        var listing = ScheduleListing(
            flags: SettingFlags(),
            invocation: Invocation(),
            at: now, until: end)
        for hit in CampaignSearch([folder.path]).files() { try await listing.add(hit) }
        return listing
    }

    @Test("The next occurrence of each campaign is listed")
    func nextOccurrenceOfEachCampaignIsListed() async throws {
        let listing = try await listing([
            "a.yaml": campaign("hourly", "cron: \"@hourly\""),
            "b.yaml": campaign("over", "at: 2026-11-22T09:00"), "c.yaml": campaign("by-hand", ""),
            "d.yaml": "hello: world\n",
        ])
        #expect(listing.schedules.map(\.campaign) == ["hourly", "over"])
        #expect(listing.schedules.map(\.upcoming) == [[now + 3_600], []])
        #expect(listing.findings.isEmpty && listing.failures.isEmpty)
    }

    @Test("A campaign with errors does not stop the others from being listed")
    func campaignWithErrorsDoesNotStopTheOthersFromBeingListed() async throws {
        let listing = try await listing([
            "a.yaml": campaign("good", "cron: \"@hourly\""),
            "b.yaml": campaign("bad", "cron: \"0 0 30 2 *\""),
        ])
        #expect(listing.schedules.map(\.campaign) == ["good"])
        #expect(listing.findings.map(\.rule) == ["invalid-time"])
    }

    @Test("If all campaigns are invalid, the list does not say that nothing is scheduled")
    func ifAllCampaignsAreInvalidTheListDoesNotSayThatNothingIs() async throws {
        #expect(try await listing(["b.yaml": campaign("bad", "cron: soon")]).document == nil)
        let none = try await listing(["c.yaml": campaign("by-hand", "")])
        #expect(none.document?.text() == "No campaign has a schedule.\n")
    }

    @Test("All occurrences up to a time are listed")
    func allOccurrencesUpToATimeAreListed() async throws {
        let listing = try await listing(
            ["a.yaml": campaign("hourly", "cron: \"@hourly\"")], until: now + 2 * 3_600)
        #expect(listing.schedules.map(\.upcoming) == [[now + 3_600, now + 7_200]])
        #expect(listing.schedules.map(\.isCut) == [false])
    }

    @Test("The list of a schedule that starts every minute is cut off")
    func listOfAScheduleThatStartsEveryMinuteIsCutOff() async throws {
        let listing = try await listing(
            ["a.yaml": campaign("always", "cron: \"* * * * *\"")], until: now + 1_001 * 60)
        #expect(listing.schedules.map(\.upcoming.count) == [1_000])
        #expect(listing.schedules.map(\.isCut) == [true])
    }
}
