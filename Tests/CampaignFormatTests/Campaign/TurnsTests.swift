import CampaignCore
import Synchronization
import TestSupport
import Testing

@testable import CampaignFormat

/// Tests quiet hours and local times, which apply in each person's time zone.
@Suite(.bounded) struct TurnsTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "username,tz\nalice,Europe/Paris\nbob,\ncarol, Asia/Kathmandu \n", to: "people.csv")
    }

    private func load(_ rest: String, audience: String = "usernames: [alice]") throws
        -> LoadedCampaign
    {
        try folder.load(TemporaryFolder.campaign(audience: audience, rest: rest))
    }

    private func berlin() throws -> TimeZoneRules {
        try SystemTimeZones().rules(of: "Europe/Berlin")
    }

    @Test("Quiet hours and local time are read with the schedule's time zone")
    func quietHoursAndLocalTimeAreReadWithTheSchedulesTimeZone() throws {
        let loaded = try load(
            """
            schedule:
              cron: "0 0 * * *"
              time_zone: Europe/Berlin
              quiet_hours: { from: "21:00", to: "08:30" }
            delivery: { local_time: "09:00" }
            """)
        let campaign = try #require(loaded.campaign, "\(loaded.diagnostics)")
        #expect(
            campaign.sendTimes
                == SendTimeRule(
                    quietHours: QuietHours(from: 21 * 60, to: 8 * 60 + 30), localTime: 9 * 60,
                    zone: try berlin()))
        #expect(campaign.schedule?.zone.name == "Europe/Berlin")
        #expect(loaded.diagnostics.isEmpty)
        let always = try load("schedule: { cron: \"0 9 * * *\", time_zone: Europe/Berlin }")
        #expect(try #require(always.campaign).sendTimes == nil)
    }

    @Test(
        "A campaign started by hand can have quiet hours and a local time",
        arguments: [
            "schedule: { time_zone: Europe/Berlin, quiet_hours: { from: \"21:00\", to: \"08:00\" } }",
            "schedule: { time_zone: Europe/Berlin }\ndelivery: { local_time: \"09:00\" }",
        ])
    func campaignStartedByHandCanHaveQuietHoursAndALocalTime(_ rest: String) throws {
        let loaded = try load(rest)
        let campaign = try #require(loaded.campaign, "\(loaded.diagnostics)")
        #expect(campaign.schedule == nil)
        #expect(campaign.sendTimes?.zone == (try berlin()))
        #expect(loaded.diagnostics.isEmpty)
    }

    @Test(
        "Contradictory quiet hours and local times are refused",
        arguments: [
            (
                "schedule: { time_zone: UTC, start_deadline: 1h }",
                "missing-key: \"schedule\" requires one of the keys \"schedule.cron\", \"schedule.at\", \"schedule.quiet_hours\" or \"delivery.local_time\"."
            ),
            (
                "delivery: { local_time: \"09:00\" }",
                "missing-key: \"delivery.local_time\" requires \"schedule.time_zone\"."
            ),
            (
                "schedule: { time_zone: UTC, quiet_hours: { from: \"08:00\", to: \"08:00\" } }",
                "conflicting-keys: The quiet hours begin and end at the same time, which could mean all day or never."
            ),
            (
                "schedule: { cron: \"0 9-10 * * *\", time_zone: UTC }\ndelivery: { local_time: \"09:00\" }",
                "conflicting-keys: \"schedule.cron\" starts the campaign 2 times a day, but \"delivery.local_time\" sends to each person at most once a day."
            ),
            (
                "schedule: { time_zone: UTC, quiet_hours: { from: \"08:00\", to: \"10:00\" } }\ndelivery: { local_time: \"08:00\" }",
                "conflicting-keys: \"delivery.local_time\" is within the quiet hours, when nobody gets a push."
            ),
            (
                "schedule: { time_zone: UTC }\ndelivery: { local_time: \"9:00\" }",
                "invalid-time: \"delivery.local_time\" is not a valid time."
            ),
            (
                "schedule: { time_zone: UTC, quiet_hours: { from: \"8\", to: \"10:00\" } }",
                "invalid-time: \"schedule.quiet_hours.from\" is not a valid time."
            ),
        ])
    func contradictoryQuietHoursAndLocalTimesAreRefused(_ rest: String, _ expected: String) throws {
        let loaded = try load(rest)
        #expect(loaded.campaign == nil)
        #expect(loaded.diagnostics.map { "\($0.rule): \($0.message.text)" } == [expected])
    }

    @Test(
        "Errors in time zones and in times are reported together",
        arguments: ["UTC", "Europe/Berln"])
    func errorsInTimeZonesAndInTimesAreReportedTogether(_ zone: String) throws {
        let loaded = try load(
            """
            schedule:
              time_zone: \(zone)
              time_zone_column: timezone
              quiet_hours: { from: "21:00", to: "21:00" }
            """, audience: "files: [people.csv]")
        #expect(loaded.campaign == nil)
        let messages = loaded.diagnostics.map(\.message.text)
        #expect(messages.contains("No audience file has a column \"timezone\"."), "\(messages)")
        #expect(
            messages.contains { $0.hasPrefix("The quiet hours begin and end at the same time") })
    }

    @Test(
        "A local time at the edge of the quiet hours is allowed",
        arguments: ["08:00", "10:00", "21:30"])
    func localTimeAtTheEdgeOfTheQuietHoursIsAllowed(_ time: String) throws {
        let loaded = try load(
            """
            schedule: { time_zone: UTC, quiet_hours: { from: "22:00", to: "08:00" } }
            delivery: { local_time: "\(time)" }
            """)
        #expect(loaded.campaign != nil, "\(loaded.diagnostics)")
    }

    // MARK: The audience's column

    private let quiet =
        "schedule: { time_zone: UTC, quiet_hours: { from: \"22:00\", to: \"08:00\", time_zone_column: tz } }"

    @Test("Each person has the time zone of their row")
    func eachPersonHasTheTimeZoneOfTheirRow() throws {
        let loaded = try load(quiet, audience: "usernames: [dora], files: [people.csv]")
        let members = try #require(loaded.audience, "\(loaded.diagnostics)").all(.named)
        #expect(
            members.map { "\($0.username) \($0.zone ?? "-")" } == [
                "dora -", "alice Europe/Paris", "bob -", "carol Asia/Kathmandu",
            ])
        // If no time depends on the time zone column, it is treated as an ordinary column.
        let other = try load(
            "schedule: { cron: \"0 9 * * *\", time_zone: UTC, time_zone_column: tz }",
            audience: "files: [people.csv]")
        #expect(try #require(other.audience).all(.named).allSatisfy { $0.zone == nil })
        #expect(other.diagnostics.map(\.rule) == ["no-effect"])
    }

    @Test("The time zone column is not reported as unused")
    func timeZoneColumnIsNotReportedAsUnused() throws {
        let loaded = try load(quiet, audience: "files: [people.csv]")
        #expect(loaded.lint.remarks.isEmpty)
    }

    @Test("A time zone column that no file has produces an error")
    func timeZoneColumnThatNoFileHasProducesAnError() throws {
        let loaded = try load(
            quiet.replacing("tz }", with: "tzz }"), audience: "files: [people.csv]")
        #expect(loaded.diagnostics.map(\.rule) == ["unknown-column"])
        #expect(loaded.diagnostics.first?.help?.text == "Did you mean \"tz\"?")
    }

    @Test("A schedule and quiet hours can use the same time zone column")
    func scheduleAndQuietHoursCanUseTheSameTimeZoneColumn() throws {
        let loaded = try load(
            quiet.replacing("UTC,", with: "UTC, time_zone_column: tz,"),
            audience: "files: [people.csv]")
        #expect(loaded.diagnostics.isEmpty)
    }

    @Test("An unknown time zone is reported at its cell, or its row is skipped")
    func unknownTimeZoneIsReportedAtItsCellOrItsRowIsSkipped() throws {
        try folder.write(
            "username,tz\nalice,Europe/Berln\nbob,Mars/Olympus\ncarol,UTC\n", to: "a.csv")
        let strict = try load(quiet, audience: "files: [a.csv]")
        let errors = strict.checkAudienceFiles()
        #expect(errors.map { "\($0.range.line):\($0.range.column)" } == ["2:7", "3:5"])
        #expect(errors.map(\.rule) == ["invalid-time", "invalid-time"])
        #expect(errors.first?.help?.text == "Did you mean \"Europe/Berlin\"?")
        #expect(!errors.map(\.message).contains { $0.text(maskingAudience: true).contains("Mars") })
        let lenient = try load(quiet, audience: "files: [{ path: a.csv, on_bad_row: skip }]")
        let audience = try #require(lenient.audience, "\(lenient.diagnostics)")
        #expect(try audience.all(.named).map(\.username.text) == ["carol"])
    }

    @Test("Excluded people do not need a time zone") func excludedPeopleDoNotNeedATimeZone() throws
    {
        try folder.write("username,tz\nalice,Mars/Olympus\n", to: "out.csv")
        let loaded = try load(
            quiet, audience: "files: [people.csv], exclude: { files: [out.csv] }")
        #expect(loaded.checkAudienceFiles().isEmpty)
        #expect(try #require(loaded.audience).all(.excluded).map(\.username.text) == ["alice"])
    }

    /// The system's zones, with a count of the lookups for each.
    private final class CountedZones: TimeZoneDatabase {
        private let asked = Mutex<[String: Int]>([:])
        private let listed = Mutex(0)
        var counts: [String: Int] { asked.withLock { $0 } }
        var listings: Int { listed.withLock { $0 } }

        func rules(of name: String) throws(TimeZoneError) -> TimeZoneRules {
            asked.withLock { $0[name, default: 0] += 1 }
            guard name.hasPrefix("Europe/") else { throw .unknown }
            return TimeZoneRules(name: name, offset: 3_600)
        }

        var names: [String] {
            listed.withLock { $0 += 1 }
            return ["Europe/Berlin", "Europe/Paris"]
        }
    }

    @Test("Each time zone is looked up once for all people")
    func eachTimeZoneIsLookedUpOnceForAllPeople() throws {
        let zones = CountedZones()
        let rows = (0..<600).map {
            "u\($0),\(["Europe/Berlin", "Europe/Paris", "Berlin"][$0 % 3])\n"
        }
        let found = try folder.people(
            "username,tz\n" + rows.joined(), in: "many.csv", zoneColumn: "tz", zones: zones)
        #expect(found.members.count == 400 && found.errors.count == 200)
        #expect(zones.counts == ["Europe/Berlin": 1, "Europe/Paris": 1, "Berlin": 1])
        #expect(zones.listings == 1)
    }

    @Test("A missing time zone database produces an error, but no row is skipped")
    func missingTimeZoneDatabaseProducesAnErrorButNoRowIsSkipped() throws {
        let options = AudienceFileOptions(badRows: .skip)
        let found = try folder.people(
            "username,tz\nalice,Europe/Berlin\nbob,Europe/Paris\n", in: "a.csv", options: options,
            zoneColumn: "tz", zones: SystemTimeZones(folder: folder.path + "/none"))
        #expect(found.members.isEmpty)
        #expect(found.errors.map(\.rule) == [.unreadableFile])
        #expect(found.errors.map(\.isFinal) == [true])
    }

    // MARK: Silent pushes

    @Test("Pushes at local times do not count as silent pushes")
    func pushesAtLocalTimesDoNotCountAsSilentPushes() throws {
        let plain = try load("schedule: { cron: \"0 9 * * *\", time_zone: UTC }")
        #expect(plain.lint.silentSchedule != nil)
        let local = try load(
            "schedule: { cron: \"0 9 * * *\", time_zone: UTC }\ndelivery: { local_time: \"09:00\" }"
        )
        #expect(local.lint.silentSchedule == nil)
    }
}
