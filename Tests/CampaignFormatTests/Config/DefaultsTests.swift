import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct DefaultsTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func load(
        _ campaign: String, with config: String, as name: String = "campaign.yaml"
    ) throws -> LoadedCampaign {
        let loaded = try ConfigFile.read(
            folder.write(config, to: "hubsend.yaml", mode: 0o600), isNamed: false)
        let config = try #require(loaded.config, "\(loaded.diagnostics)")
        return try CampaignFile.read(
            folder.write(campaign, to: name), scope: FileScope(root: folder.path),
            terms: config.terms)
    }

    private let shared = """
        defaults:
          platforms: [apns, fcm]
          audience: { max_recipients: 20 }
          payload: { expires_after: 1d }
          delivery: { rate: 100/s, concurrency: 8, retry: { attempts: 2, for: 1m } }
        """

    @Test("A campaign uses the defaults for keys it does not set")
    func campaignUsesTheDefaultsForKeysItDoesNotSet() throws {
        let loaded = try load(
            """
            campaign: test
            kind: secure
            audience: { usernames: [alice] }
            payload: { text: Hello }
            """, with: shared)
        let campaign = try #require(loaded.campaign, "\(loaded.diagnostics)")
        #expect(campaign.platforms == [.apns, .fcm])
        #expect(campaign.audience.maximum == 20)
        #expect(campaign.payload.expiresAfter == .seconds(86_400))
        #expect(campaign.delivery.rate == 100)
        #expect(campaign.delivery.retry == RetryLimits(attempts: 2, duration: .seconds(60)))
        #expect(loaded.diagnostics.isEmpty)
    }

    @Test("A campaign's own value takes precedence over the default, key by key")
    func campaignsOwnValueTakesPrecedenceOverTheDefaultKeyByKey() throws {
        let loaded = try load(
            TemporaryFolder.campaign(
                platforms: "[wns]", audience: "usernames: [alice], max_recipients: 30",
                rest: "delivery: { rate: 200/s, retry: { for: 2m } }"), with: shared)
        let campaign = try #require(loaded.campaign, "\(loaded.diagnostics)")
        #expect(campaign.platforms == [.wns])
        #expect(campaign.audience.maximum == 30)
        #expect(campaign.delivery.rate == 200)
        #expect(campaign.delivery.concurrency == 8)
        #expect(campaign.delivery.retry == RetryLimits(attempts: 2, duration: .seconds(120)))
    }

    @Test("People excluded in the defaults are excluded from every campaign")
    func peopleExcludedInTheDefaultsAreExcludedFromEveryCampaign() throws {
        try folder.write("dora\n", to: "lists/out.txt")
        try folder.write("emil\n", to: "spring/out.txt")
        let config = """
            defaults:
              audience: { exclude: { usernames: [bob], files: [lists/out.txt] } }
            """
        let campaign = TemporaryFolder.campaign(
            audience: "usernames: [alice], exclude: { usernames: [carol], files: [out.txt] }")
        let loaded = try load(campaign, with: config, as: "spring/sale.yaml")
        let audience = try #require(loaded.audience, "\(loaded.diagnostics)")
        #expect(
            try audience.all(.excluded).map(\.username.text).sorted() == [
                "bob", "carol", "dora", "emil",
            ])
        #expect(
            loaded.outline.filter { $0.key.hasPrefix("audience.") } == [
                KeyText(key: "audience.exclude.files", lines: ["out.txt"]),
                KeyText(key: "audience.exclude[1].files", lines: ["../lists/out.txt"]),
            ])
        let other = try load(
            TemporaryFolder.campaign(), with: config, as: "autumn/late/sale.yaml")
        #expect(
            try #require(other.audience).all(.excluded).map(\.username.text) == ["bob", "dora"])
    }

    @Test("A campaign cannot make the defaults' exclusions optional")
    func campaignCannotMakeTheDefaultsExclusionsOptional() throws {
        let loaded = try load(
            TemporaryFolder.campaign(
                audience: "usernames: [alice], exclude: { allow_empty: true, files: [gone.txt] }"),
            with: "defaults:\n  audience:\n    exclude: { files: [lists/out.txt] }\n",
            as: "spring/sale.yaml")
        #expect(loaded.campaign == nil)
        let error = try #require(loaded.diagnostics.first { $0.severity == .error })
        #expect(error.rule == "missing-file")
        #expect(error.file == folder.file("hubsend.yaml"))
        #expect((error.range.line, error.range.column) == (3, 24))
        #expect(error.excerpt?.text == "    exclude: { files: [lists/out.txt] }")
    }

    @Test("A finding about text in the defaults is placed in the config")
    func findingAboutTextInTheDefaultsIsPlacedInTheConfig() throws {
        let loaded = try load(
            TemporaryFolder.campaign(kind: "kind: alert", payload: "message: Hello"),
            with: """
                store: a.sqlite
                # News for all
                defaults:
                  payload: { title: "Grüße aus {{city}}" }
                """)
        let error = try #require(loaded.diagnostics.first)
        #expect(loaded.diagnostics.map(\.rule) == ["variable-without-value"])
        #expect(error.file == folder.file("hubsend.yaml"))
        #expect((error.range.line, error.range.column, error.range.endColumn) == (4, 32, 40))
        #expect(error.excerpt?.text == "  payload: { title: \"Grüße aus {{city}}\" }")
    }

    @Test("Defaults that do not apply to a campaign's kind are ignored")
    func defaultsThatDoNotApplyToACampaignsKindAreIgnored() throws {
        let config = "defaults: { payload: { placeholder: News, private_message: true } }\n"
        let alert = try load(
            TemporaryFolder.campaign(kind: "kind: alert", payload: "message: Hello"),
            with: config)
        #expect(alert.diagnostics.isEmpty)
        let secure = try load(TemporaryFolder.campaign(), with: config)
        #expect(secure.campaign?.payload.texts.placeholder != nil)
    }

    private let night = """
        defaults:
          schedule:
            time_zone: Europe/Berlin
            quiet_hours: { from: "21:00", to: "08:00" }
        """

    @Test("Default quiet hours apply to every campaign")
    func defaultQuietHoursApplyToEveryCampaign() throws {
        for rest in ["", "schedule: { cron: \"0 9 * * *\" }"] {
            let loaded = try load(TemporaryFolder.campaign(rest: rest), with: night)
            let campaign = try #require(loaded.campaign, "\(loaded.diagnostics)")
            #expect(campaign.sendTimes?.quietHours == QuietHours(from: 21 * 60, to: 8 * 60))
            #expect(campaign.sendTimes?.zone.name == "Europe/Berlin")
            #expect((campaign.schedule == nil) == rest.isEmpty)
            #expect(loaded.diagnostics.isEmpty)
        }
    }

    @Test("A local time uses the defaults' time zone")
    func localTimeUsesTheDefaultsTimeZone() throws {
        let zone = "defaults: { schedule: { time_zone: Europe/Berlin } }\n"
        let own = try load(
            TemporaryFolder.campaign(rest: "delivery: { local_time: \"09:00\" }"), with: zone)
        #expect(try #require(own.campaign, "\(own.diagnostics)").sendTimes?.localTime == 9 * 60)
        let none = try load(TemporaryFolder.campaign(), with: zone)
        #expect(try #require(none.campaign, "\(none.diagnostics)").sendTimes == nil)
    }

    @Test("A campaign's own time zone column takes precedence over the default")
    func campaignsOwnTimeZoneColumnTakesPrecedenceOverTheDefault() throws {
        try folder.write("username,tz\nalice,Europe/Paris\n", to: "people.csv")
        let hours = "from: \"21:00\", to: \"08:00\", time_zone_column: tz"
        let loaded = try load(
            TemporaryFolder.campaign(
                audience: "files: [people.csv]", rest: "schedule: { quiet_hours: { \(hours) } }"),
            with: "defaults: { schedule: { time_zone: UTC, time_zone_column: zone } }\n")
        let audience = try #require(loaded.audience, "\(loaded.diagnostics)")
        #expect(try audience.all(.named).map(\.zone) == ["Europe/Paris"])
        #expect(loaded.diagnostics.isEmpty)
    }

    @Test("A default fallback is ignored by campaigns that cannot have one")
    func defaultFallbackIsIgnoredByCampaignsThatCannotHaveOne() throws {
        let config =
            "defaults: { delivery: { fallback: { after: 30m, message: \"Hi {{name|you}}\" } } }\n"
        let alert = try load(
            TemporaryFolder.campaign(kind: "kind: alert", payload: "message: Hello"),
            with: config)
        #expect(try #require(alert.campaign, "\(alert.diagnostics)").fallback == nil)
        let rich = try load(
            TemporaryFolder.campaign(
                kind: "kind: rich", payload: "message: Hi, type: text, text: x"), with: config)
        #expect(rich.campaign?.fallback?.after == .seconds(1_800))
        // An option that would reveal a secret remains an error in the config.
        let secure = try load(TemporaryFolder.campaign(), with: config)
        let error = try #require(secure.diagnostics.first { $0.severity == .error })
        #expect(secure.campaign == nil)
        #expect(error.rule == "secure-leak" && error.file == folder.file("hubsend.yaml"))
    }

    @Test("Defaults are not applied to a file that is not a campaign")
    func defaultsAreNotAppliedToAFileThatIsNotACampaign() throws {
        let loaded = try load(
            "campaign: test\nkind: secure\n",
            with: shared + "\n  schedule: { time_zone: Europe/Berlin }\n")
        #expect(
            loaded.diagnostics.map(\.message.text) == [
                "The key \"audience\" is missing.", "The key \"payload\" is missing.",
            ])
    }

    @Test("A secret next to the defaults is not shown")
    func secretNextToTheDefaultsIsNotShown() throws {
        let loaded = try load(
            TemporaryFolder.campaign(),
            with:
                "{ hub: { connection_string: geheim99 }, defaults: { audience: { exclude: { files: [gone.txt] } } } }"
        )
        let error = try #require(loaded.diagnostics.first)
        #expect(error.file == folder.file("hubsend.yaml"))
        #expect(error.excerpt?.text.contains("gone.txt") == true)
        #expect(error.excerpt?.text.contains("geheim99") == false)
    }

    @Test("People in the defaults' exclusions are masked")
    func peopleInTheDefaultsExclusionsAreMasked() throws {
        let loaded = try load(
            TemporaryFolder.campaign(audience: "usernames: [alice]"),
            with: "defaults: { audience: { exclude: { usernames: [carol], files: [gone.txt] } } }"
        )
        let text = TextDiagnosticRenderer(masksAudience: true).render(loaded.diagnostics)
        #expect(text.contains("hubsend.yaml:1:"))
        #expect(!text.contains("carol"))
    }
}
