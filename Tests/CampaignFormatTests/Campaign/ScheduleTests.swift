import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct ScheduleTests {
    private func load(_ schedule: String) throws -> LoadedCampaign {
        try TemporaryFolder().load(
            TemporaryFolder.campaign(rest: "schedule: { \(schedule) }"))
    }

    private func problem(_ schedule: String) throws -> (message: String, help: String?) {
        let errors = try load(schedule).diagnostics.filter { $0.severity == .error }
        let problem = try #require(errors.first)
        #expect(errors.count == 1 && problem.rule == "invalid-time")
        return (problem.message.text, problem.help?.text)
    }

    @Test("A schedule is read with its time zone and deadline")
    func scheduleIsReadWithItsTimeZoneAndDeadline() throws {
        let weekly = try load("cron: \"0 9 * * mon\", time_zone: Europe/Berlin")
        let schedule = try #require(weekly.campaign?.schedule)
        #expect(schedule.times == .cron(try CronSchedule("0 9 * * mon")))
        #expect(schedule.zone.name == "Europe/Berlin")
        #expect(schedule.startDeadline == .seconds(3_600))
        let once = try load("at: 2026-12-01T09:00, time_zone: UTC, start_deadline: 2h")
        #expect(
            once.campaign?.schedule
                == Schedule(
                    .at(try #require(LocalTime("2026-12-01T09:00"))), in: .utc,
                    startDeadline: .seconds(7_200)))
        #expect(try TemporaryFolder().load(TemporaryFolder.campaign()).campaign?.schedule == nil)
    }

    @Test(
        "An error in a cron expression names its field",
        arguments: [
            ("@noon", "\"@noon\" is not a valid word in \"schedule.cron\"."),
            ("@reboot", "\"@reboot\" is not a valid word in \"schedule.cron\"."),
            ("0 9 * *", "\"schedule.cron\" does not have five fields."),
            ("0 25 * * *", "\"25\" is not a valid hour in \"schedule.cron\"."),
            (
                "0 9 * * sat-sun",
                "In \"schedule.cron\", the weekday \"sat-sun\" ends before it begins."
            ),
            (
                "5/10 * * * *",
                "In \"schedule.cron\", the minute \"5/10\" is a step without a range."
            ),
            (
                "0 0 30 2 *",
                "\"schedule.cron\" never matches: none of its months has that day."
            ),
        ])
    func errorInACronExpressionNamesItsField(_ cron: String, _ message: String) throws {
        let found = try problem("cron: \"\(cron)\", time_zone: UTC")
        #expect(found.message == message)
        #expect(found.help != nil)
    }

    @Test(
        "A cron field that is not understood is quoted",
        arguments: [
            (
                "0 9 * * monday",
                "Write * or a number from 0 to 7, or three letters such as mon; 1-5, 1,3 and */2 also work."
            ),
            (
                "0 9 1 january *",
                "Write * or a number from 1 to 12, or three letters such as jan; 1-5, 1,3 and */2 also work."
            ),
            ("0 24 * * *", "Write * or a number from 0 to 23; 1-5, 1,3 and */2 also work."),
        ])
    func cronFieldThatIsNotUnderstoodIsQuoted(_ cron: String, _ help: String) throws {
        #expect(try problem("cron: \"\(cron)\", time_zone: UTC").help == help)
    }

    @Test("A start every minute produces a warning") func startEveryMinuteProducesAWarning() throws
    {
        let loaded = try load("cron: \"* 9 * * mon\", time_zone: UTC")
        #expect(loaded.campaign != nil)
        let warning = try #require(
            loaded.diagnostics.first { $0.rule == "invalid-time" }, "\(loaded.diagnostics)")
        #expect(warning.severity == .warning)
        #expect(
            warning.message.text
                == "\"schedule.cron\" starts the campaign every minute for at least an hour, and each start sends to everybody."
        )
        let hourly = try load("cron: \"0 9-17 * * *\", time_zone: UTC")
        #expect(!hourly.diagnostics.contains { $0.rule == "invalid-time" })
    }

    @Test(
        "Time zones without summer time and skipped times produce warnings",
        arguments: [
            (
                "at: 2027-03-28T02:30, time_zone: Europe/Berlin",
                "Clocks in Europe/Berlin skip this time, so the campaign starts at 2027-03-28T03:00."
            ),
            (
                "cron: 0 9 * * *, time_zone: EST",
                "\"EST\" has no summer time: it means UTC-5 all year."
            ),
            (
                "cron: 0 9 * * *, time_zone: Etc/GMT-1",
                "The sign of \"Etc/GMT-1\" is reversed: it means UTC+1 all year."
            ),
            ("cron: 0 9 * * *, time_zone: Asia/Tokyo", nil),
            ("cron: 0 9 * * *, time_zone: CET", nil), ("cron: 0 9 * * *, time_zone: UTC", nil),
            ("at: 2026-10-25T02:30, time_zone: Europe/Berlin", nil),
        ] as [(String, String?)])
    func timeZonesWithoutSummerTimeAndSkippedTimesProduceWarnings(
        _ schedule: String, _ message: String?
    )
        throws
    {
        let loaded = try load(schedule)
        #expect(loaded.campaign != nil)
        let found = loaded.diagnostics.filter { $0.rule == "invalid-time" }
        #expect(found.map(\.message.text) == [message].compactMap(\.self))
    }

    @Test(
        "Curly quotes in a schedule are reported",
        arguments: [
            "at: “2026-12-01T09:00”, time_zone: UTC", "cron: “0 9 * * mon”, time_zone: UTC",
            "at: 2026-12-01T09:00, time_zone: “UTC”",
        ])
    func curlyQuotesInAScheduleAreReported(_ schedule: String) throws {
        #expect(
            try problem(schedule).message.hasSuffix(
                " contains a curly quote “; use straight quotes or none."))
    }

    @Test("The help for a step without a range shows the range")
    func helpForAStepWithoutARangeShowsTheRange() throws {
        let found = try problem("cron: \"5/10 * * * *\", time_zone: UTC")
        #expect(found.help == "Write 5-59/10 for every step starting at 5, or just 5.")
    }

    @Test(
        "The error about an unknown time zone suggests the nearest names",
        arguments: [
            ("Europe/Berln", "Did you mean \"Europe/Berlin\"?"),
            ("europe/berlin", "Did you mean \"Europe/Berlin\"?"),
            ("Kathmandu", "Did you mean \"Asia/Kathmandu\"?"),
            ("US/Lord_Howe", "Did you mean \"Australia/Lord_Howe\"?"),
            ("Europe/Wien", "Did you mean \"Europe/Vienna\"?"),
            ("Europe/Moskau", "Did you mean \"Europe/Moscow\"?"),
            ("Zürich", "Did you mean \"Europe/Zurich\"?"),
            // The city is ambiguous, and EST is a zone without summer time.
            ("PST", nil), ("GMT+1", nil), ("CEST", nil), ("Middle/Earth", nil),
        ] as [(String, String?)])
    func errorAboutAnUnknownTimeZoneSuggestsTheNearestNames(_ zone: String, _ help: String?) throws
    {
        let found = try problem("cron: \"0 9 * * *\", time_zone: \(zone)")
        #expect(found.message == "There is no time zone \"\(zone)\" in this system's database.")
        #expect(
            found.help
                == help
                ?? "Write a region and city from the database, such as Europe/Berlin; abbreviations and offsets have no summer time."
        )
    }

    @Test("A missing time zone database is reported as a problem of the system")
    func missingTimeZoneDatabaseIsReportedAsAProblemOfTheSystem() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            TemporaryFolder.campaign(
                rest: "schedule: { at: 2026-12-01T09:00, time_zone: Europe/Berlin }"),
            to: "campaign.yaml")
        let loaded = try CampaignFile.read(
            path, terms: CampaignTerms(zones: SystemTimeZones(folder: folder.path + "/none")))
        let problem = try #require(loaded.diagnostics.first { $0.severity == .error })
        #expect(problem.rule == "unreadable-file")
        #expect(problem.message.text.contains("has no time zone database in \(folder.path)/none"))
    }
}
