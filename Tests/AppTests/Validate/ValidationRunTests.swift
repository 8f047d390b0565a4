import CampaignFormat
import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct ValidationRunTests {
    private static func campaign(_ name: String, audience: String, rest: String = "") -> String {
        """
        campaign: \(name)
        kind: secure
        platforms: [apns]
        audience: { \(audience) }
        payload: { text: Hello }
        \(rest)
        """
    }

    private func check(
        _ folder: TemporaryFolder, _ paths: [String] = [""], disabling rules: [String] = [],
        at now: Date = Date()
    ) async throws -> Validation {
        let run = ValidationRun(
            flags: SettingFlags(),
            invocation: Invocation(),
            rules: try RuleChoice(disabling: rules), now: now)
        let search = CampaignSearch(paths.map { $0.isEmpty ? folder.path : folder.file($0) })
        return try await run.check(search.files())
    }

    private func folder(_ files: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        return folder
    }

    @Test("Unused files in folders that campaigns use produce hints")
    func unusedFilesInFoldersThatCampaignsUseProduceHints() async throws {
        let folder = try folder([
            "a.yaml": Self.campaign("a", audience: "files: [people/a.txt]"),
            "b.yaml": Self.campaign("b", audience: "files: [people/b.txt]"),
            "people/a.txt": "alice\n", "people/b.txt": "bob\n", "people/old.txt": "carol\n",
            "people/README.txt": "hello\n", "people/notes.md": "x", "people/.hidden.csv": "x",
            "images/left.png": "x",
        ])
        let found = try await check(folder).findings
        #expect(found.map(\.rule) == ["unused-file"])
        #expect(found.first?.file == folder.file("people/old.txt"))
        #expect(found.first?.severity == .hint)
        // If only one file is checked, it is not known which files other campaigns use.
        #expect(try await check(folder, ["a.yaml"]).findings.isEmpty)
        #expect(try await check(folder, disabling: ["unused-file"]).findings.isEmpty)
    }

    @Test("Campaign names are unique within a store")
    func campaignNamesAreUniqueWithinAStore() async throws {
        let campaign = Self.campaign("welcome", audience: "usernames: [alice]")
        let files = ["a/welcome.yaml": campaign, "b/welcome.yaml": campaign]
        func rules(_ configs: [String: String]) async throws -> [String] {
            try await check(folder(files.merging(configs) { $1 })).findings.map(\.rule)
        }
        let hub = "hub: { local: devices.yaml }\n"
        #expect(try await rules(["a/hubsend.yaml": hub, "b/hubsend.yaml": hub]).isEmpty)
        // Without a config, each campaign has its own store.
        #expect(try await rules([:]).isEmpty)
        #expect(try await rules(["hubsend.yaml": hub]) == ["duplicate-name"])
        for store in ["store: ../all.sqlite\n", "store: postgresql://db.example/push\n"] {
            #expect(
                try await rules(["a/hubsend.yaml": hub + store, "b/hubsend.yaml": hub + store])
                    == ["duplicate-name"])
        }
    }

    @Test("A finding in a file that campaigns share is reported once")
    func findingInAFileThatCampaignsShareIsReportedOnce() async throws {
        let folder = try folder([
            "a.yaml": Self.campaign("a", audience: "files: [people.txt]"),
            "b.yaml": Self.campaign("b", audience: "files: [people.txt]"),
            "people.txt": "alice\nbob smith\n",
        ])
        let found = try await check(folder).findings
        #expect(found.map(\.rule) == ["invalid-username"])
        #expect(
            found.first?.namings.map(\.file) == ["a.yaml", "b.yaml"].map(folder.file))
    }

    @Test("Files next to a campaign with exports are not reported as unused")
    func filesNextToACampaignWithExportsAreNotReportedAsUnused() async throws {
        let folder = try folder([
            "a.yaml": Self.campaign("a", audience: "files: [\"export:loyalty.csv\"]"),
            "notes.txt": "hello\n", "loyalty.csv": "username\nalice\n",
        ])
        let found = try await check(folder).findings
        #expect(!found.contains { $0.rule == "unused-file" })
    }

    @Test("A file that an unreadable campaign could name produces no hint")
    func fileThatAnUnreadableCampaignCouldNameProducesNoHint() async throws {
        let files = [
            "a.yaml": Self.campaign("a", audience: "files: [a.txt]"), "a.txt": "alice\n",
            "out.txt": "bob\n",
        ]
        let config = [
            "hubsend.yaml": "defaults: { audience: { exclude: { files: [out.txt] } } }\n"
        ]
        let named = try await check(folder(files.merging(config) { $1 }))
        #expect(!named.findings.contains { $0.rule == "unused-file" })
        let broken = try await check(
            folder(files.merging(["b.yaml": "campaign: [\n"]) { $1 }))
        #expect(!broken.findings.contains { $0.rule == "unused-file" })
        let governed = [
            "sub/hubsend.yaml": "hub: [\n",
            "sub/b.yaml": Self.campaign("b", audience: "usernames: [bob]"),
        ]
        let unread = try await check(folder(files.merging(governed) { $1 }))
        #expect(unread.findings.hasErrors)
        #expect(!unread.findings.contains { $0.rule == "unused-file" })
        let neither = try await check(folder(files))
        #expect(neither.findings.map(\.rule) == ["unused-file"])
    }

    @Test("A comment suppresses findings that depend on the audience")
    func commentSuppressesFindingsThatDependOnTheAudience() async throws {
        let slow = "delivery: { rate: 1/s, finish_within: 1s }"
        let audience = "usernames: [alice, bob, carol]"
        let loud = try folder(["a.yaml": Self.campaign("a", audience: audience, rest: slow)])
        #expect(try await check(loud).findings.map(\.rule) == ["too-slow"])
        let quiet = try folder([
            "a.yaml": Self.campaign(
                "a", audience: audience, rest: slow + " # hubsend:ignore too-slow A test of ours.")
        ])
        #expect(try await check(quiet).findings.isEmpty)
    }

    @Test("A comment in the config suppresses its findings")
    func commentInTheConfigSuppressesItsFindings() async throws {
        let campaign = Self.campaign("a", audience: "usernames: [alice]")
        func rules(_ config: String) async throws -> [String] {
            try await check(folder(["a.yaml": campaign, "hubsend.yaml": config])).findings
                .map(\.rule)
        }
        let key = "defaults: { platforms: [gcm] }"
        #expect(try await rules(key + "\n") == ["old-spelling"])
        #expect(try await rules(key + " # hubsend:ignore old-spelling It will be.\n").isEmpty)
        #expect(
            try await rules("# hubsend:ignore old-spelling\n\(key)\n")
                == ["invalid-ignore", "old-spelling"])
        #expect(
            try await rules("store: a.sqlite # hubsend:ignore old-spelling It was.\n")
                == ["useless-ignore"])
        // The error is still reported, but suppressed warnings next to it are not.
        #expect(
            try await rules(
                "\(key) # hubsend:ignore old-spelling It will be.\nstoer: a\n")
                == ["unknown-key"])
    }

    @Test("A comment in the defaults applies to all campaigns")
    func commentInTheDefaultsAppliesToAllCampaigns() async throws {
        let slow = "rate: 1/s, finish_within: 1s"
        let config = "defaults:\n  delivery: { \(slow) }"
        let audience = "usernames: [alice, bob, carol]"
        let files = ["a.yaml": Self.campaign("a", audience: audience)]
        let loud = try folder(files.merging(["hubsend.yaml": config + "\n"]) { $1 })
        #expect(try await check(loud).findings.map(\.rule) == ["too-slow"])
        let quiet = config + " # hubsend:ignore too-slow A test of ours.\n"
        let one = "b.yaml"
        let both = try folder([
            "a.yaml": Self.campaign("a", audience: audience),
            one: Self.campaign("b", audience: "usernames: [alice]"), "hubsend.yaml": quiet,
        ])
        #expect(try await check(both).findings.isEmpty)
        // The comment may be meant for a campaign that is not checked.
        #expect(try await check(both, [one]).findings.isEmpty)
    }

    @Test("A warning about defaults is reported once")
    func warningAboutDefaultsIsReportedOnce() async throws {
        let campaign = """
            campaign: a
            kind: alert
            audience: { usernames: [alice] }
            payload: { message: Hello }

            """
        let config = "defaults: { platforms: [gcm] }\n"
        let findings = try await check(folder(["a.yaml": campaign, "hubsend.yaml": config]))
            .findings
        #expect(findings.map(\.rule) == ["old-spelling"])
        #expect(findings.first?.related.count == 1)
    }

    @Test("A finding in the config is reported once, with the campaigns it affects")
    func findingInTheConfigIsReportedOnceWithTheCampaignsItAffects() async throws {
        let config = "defaults:\n  delivery: { rate: 1/s, finish_within: 1s }\n"
        let names = (1...5).map { "\($0).yaml" }
        var files = ["hubsend.yaml": config]
        for name in names {
            files[name] = Self.campaign(
                "c-\(name.prefix(1))", audience: "usernames: [alice, bob, carol]")
        }
        files["6.yaml"] = Self.campaign("c-6", audience: "usernames: [alice]")
        let folder = try folder(files)
        let run = try await check(folder)
        let finding = try #require(run.findings.first)
        #expect(run.findings.count == 1)
        #expect(finding.file == folder.file("hubsend.yaml") && finding.rule == "too-slow")
        #expect(finding.message.text.hasSuffix(" It affects 5 campaigns."))
        #expect(finding.related.map(\.file) == names.prefix(3).map(folder.file))
        #expect(finding.campaigns == names.map(folder.file))
        let report = JUnitDiagnosticRenderer(isStrict: true).render(
            run.findings, checked: run.checked)
        #expect(report.contains("tests=\"7\" failures=\"6\""))
        for name in names + ["hubsend.yaml"] {
            #expect(
                report.contains(
                    "<testsuite name=\"\(folder.file(name))\" tests=\"1\" failures=\"1\""))
        }
        #expect(
            report.contains(
                "<testcase name=\"no findings\" classname=\"\(folder.file("6.yaml"))\""))
        let one = try await check(folder, ["2.yaml"]).findings
        #expect(one.map { $0.related.map(\.file) } == [[folder.file("2.yaml")]])
        #expect(one.first?.message.text.contains("It affects") == false)
    }

    /// Checks a campaign without hints, as `preview` and `run` do.
    @Test("A preview reports a start in the past, but no suppressed findings")
    func previewReportsAStartInThePastButNoSuppressedFindings() async throws {
        let folder = try folder([
            "a.yaml": Self.campaign(
                "a", audience: "files: [a.txt]",
                rest: "schedule: { at: 2026-12-01T09:00, time_zone: UTC }"),
            "a.txt": "alice\nbob\ncarol@example.com\n",
            "hubsend.yaml":
                "defaults:\n  delivery: { rate: 1/s, finish_within: 1s } # hubsend:ignore too-slow A test.\n",
        ])
        let settings = try EffectiveSettings.load(
            SettingFlags(), campaigns: [folder.file("a.yaml")],
            invocation: Invocation())
        let source = try await CampaignSource(path: folder.file("a.yaml"), settings: settings)
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let found = try await CampaignCheck(source: source, runs: .unread, now: now).checked()
        #expect(found.findings.map(\.rule) == ["invalid-time"])
        let before = try await CampaignCheck(
            source: source, runs: .unread, now: now - 60 * 86_400
        ).checked()
        #expect(before.findings.isEmpty)
    }

    @Test("A finding about a comment in the config shows no secret")
    func findingAboutACommentInTheConfigShowsNoSecret() async throws {
        let key =
            "Endpoint=sb://a.servicebus.windows.net/;SharedAccessKeyName=s;SharedAccessKey=Zm9v"
        let folder = try folder([
            "a.yaml": Self.campaign("a", audience: "usernames: [alice]")
        ])
        try folder.write(
            "hub: { connection_string: \"\(key)\" } # hubsend:ignore no-such-rule\n",
            to: "hubsend.yaml", mode: 0o600)
        let found = try await check(folder).findings
        #expect(found.map(\.rule) == ["invalid-ignore"])
        #expect(found.allSatisfy { $0.excerpt == nil })
    }

    @Test("The schedules of a folder are checked together, except for past schedules")
    func schedulesOfAFolderAreCheckedTogetherExceptForPastSchedules() async throws {
        func campaigns(_ year: Int) -> [String: String] {
            Dictionary(
                uniqueKeysWithValues: (1...4).map { number in
                    let schedule =
                        "schedule: { at: \(year)-12-01T09:0\(number), time_zone: UTC }"
                    return (
                        "\(number).yaml",
                        Self.campaign("c-\(number)", audience: "usernames: [alice]", rest: schedule)
                    )
                })
        }
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        func rules(_ year: Int) async throws -> [String] {
            try await check(folder(campaigns(year)), at: now).findings.map(\.rule)
        }
        #expect(try await rules(2030) == ["silent-budget"])
        let quiet = try await check(
            folder(campaigns(2030)), disabling: ["silent-budget"], at: now)
        #expect(!quiet.findings.contains { $0.rule == "silent-budget" })
        #expect(try await rules(2020) == Array(repeating: "invalid-time", count: 4))
    }

    @Test("A comment on silent pushes is only checked if all campaigns are known")
    func commentOnSilentPushesIsOnlyCheckedIfAllCampaignsAreKnown() async throws {
        func campaign(_ number: Int, _ schedule: String, comment: String = "") -> String {
            Self.campaign("c-\(number)", audience: "usernames: [alice]", rest: schedule + comment)
        }
        let comment = " # hubsend:ignore silent-budget A day of sales."
        func schedule(_ minute: Int) -> String {
            "schedule: { at: 2030-12-01T09:0\(minute), time_zone: UTC }"
        }
        var files = (1...3).reduce(into: [String: String]()) { files, number in
            files["\(number).yaml"] = campaign(number, schedule(number))
        }
        files["4.yaml"] = campaign(4, schedule(4), comment: comment)
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        func rules(
            _ paths: [String] = [""], disabling rules: [String] = []
        ) async throws -> [String] {
            try await check(folder(files), paths, disabling: rules, at: now).findings.map(\.rule)
        }
        #expect(try await rules().isEmpty)
        #expect(try await rules(["4.yaml"]).isEmpty)
        #expect(try await rules(["4.yaml", "1.yaml"]).isEmpty)
        #expect(try await rules(disabling: ["silent-budget"]).isEmpty)
        files["1.yaml"] = nil
        #expect(try await rules() == ["useless-ignore"])
        // No schedule sends this campaign, so the other schedules do not matter.
        files["4.yaml"] = campaign(4, "description: Spring", comment: comment)
        #expect(try await rules(["4.yaml"]) == ["useless-ignore"])
    }

    @Test("Each of many campaigns is counted separately")
    func eachOfManyCampaignsIsCountedSeparately() async throws {
        let files = (1...5).map { number in
            let names = (1...number).map { "user-\($0)" }.joined(separator: ", ")
            return (
                "\(number).yaml",
                Self.campaign(
                    "c-\(number)", audience: "usernames: [\(names)], max_recipients: 3")
            )
        }
        let found = try await check(folder(Dictionary(uniqueKeysWithValues: files))).findings
        #expect(found.map(\.rule) == ["audience-size", "audience-size"])
        #expect(found.map(\.message.text).contains { $0.hasPrefix("There are 5 recipients") })
    }

    @Test(
        "Only warnings and hints can be disabled", arguments: ["missing-key", "no-such-rule", ""])
    func onlyWarningsAndHintsCanBeDisabled(_ rule: String) {
        #expect(throws: Refused.self) { try RuleChoice(disabling: ["old-spelling", rule]) }
    }
}
