import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct LintTests {
    private func remarks(
        on text: String, in folder: TemporaryFolder
    ) throws -> [Diagnostic] {
        let loaded = try folder.load(text)
        #expect(!loaded.diagnostics.hasErrors, "\(loaded.diagnostics.map(\.message.text))")
        return loaded.lint.remarks
    }

    private func rules(of text: String, in folder: TemporaryFolder) throws -> [String] {
        try remarks(on: text, in: folder).map(\.rule)
    }

    @Test func aGoodCampaignHasNothingToRemark() throws {
        let folder = try TemporaryFolder()
        try folder.write("username,city\nalice,Oxford\n", to: "people.csv")
        let good = TemporaryFolder.campaign(
            audience: "files: [people.csv]", payload: "text: \"Hello {{city}}\"")
        #expect(try remarks(on: good, in: folder).isEmpty)
    }

    @Test(arguments: [
        ("img", "a.png", true), ("IMAGE", "a.png", true), ("gif", "a.png", false),
        ("sound", "a.png", false), ("text", "a.png", false), ("url", "a.png", false),
        ("coupon", "a.png", true), ("text", "a.txt", true), ("img", "a.txt", false),
        ("img", "a.bin", false), ("sound", "a.mp3", true),
    ])
    func theTypeSaysWhatTheFileIs(_ type: String, _ file: String, _ isGood: Bool) throws {
        let folder = try TemporaryFolder()
        let bytes: [UInt8] =
            file == "a.png" ? [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] : [0x41]
        try folder.write(bytes, to: file)
        let found = try rules(
            of: TemporaryFolder.campaign(
                kind: "kind: rich", payload: "message: Hi, type: \(type), file: \(file)"),
            in: folder)
        #expect(found == (isGood ? [] : ["payload-type"]))
    }

    @Test(arguments: [
        ("text", true), ("img", false), ("url", false), ("json", true), ("vip", true),
    ])
    func theTypeOfATextIsATextsType(_ type: String, _ isGood: Bool) throws {
        let found = try rules(
            of: TemporaryFolder.campaign(
                kind: "kind: rich", payload: "message: Hi, type: \(type), text: Hello"),
            in: TemporaryFolder())
        #expect(found == (isGood ? [] : ["payload-type"]))
    }

    @Test(arguments: ["a.svg", "a.png"])
    func aDrawingIsRefusedUnderEveryName(_ file: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("<?xml version=\"1.0\"?>\n<!-- x -->\n<svg></svg>\n", to: file)
        let found = try remarks(
            on: TemporaryFolder.campaign(
                kind: "kind: rich", payload: "message: Hi, type: img, file: \(file)"),
            in: folder)
        #expect(found.map(\.rule) == ["svg-image"])
        #expect(found.first?.severity == .error)
    }

    @Test(arguments: [
        ("{ pushes: 3, per: 1h }", true), ("{ pushes: 4, per: 1h }", false),
        ("{ pushes: 2, per: 30m }", true), ("{ pushes: 4, per: 30m }", false),
        ("{ pushes: 24, per: 1d }", true), ("{ pushes: 100, per: 1d }", false),
        ("{ pushes: 1000, per: 7d }", true),
    ])
    func aCapStaysWithinWhatTheSystemLetsThrough(_ cap: String, _ isGood: Bool) throws {
        let found = try rules(
            of: TemporaryFolder.campaign(rest: "delivery: { frequency_cap: \(cap) }"),
            in: TemporaryFolder())
        #expect(found == (isGood ? [] : ["silent-budget"]))
    }

    @Test func aCapOfVisiblePushesOrOfOtherSystemsIsNotLookedAt() throws {
        let folder = try TemporaryFolder()
        let cap = "delivery: { frequency_cap: { pushes: 100, per: 1h } }"
        let alert = TemporaryFolder.campaign(
            kind: "kind: alert", payload: "message: Hello", rest: cap)
        #expect(try rules(of: alert, in: folder).isEmpty)
        let android = TemporaryFolder.campaign(platforms: "[fcm]", rest: cap)
        #expect(try rules(of: android, in: folder).isEmpty)
    }

    @Test(arguments: [
        ("0 9 * * *", 1), ("*/5 * * * *", 12), ("* * * * *", 60), ("0,20,40 * * * *", 3),
        ("0-10/5,30 * * * *", 4),
    ])
    func theMinutesOfAScheduleAreCounted(_ cron: String, _ count: Int) throws {
        let found = try rules(
            of: TemporaryFolder.campaign(
                rest: "schedule: { cron: \"\(cron)\", time_zone: Europe/Berlin }"),
            in: TemporaryFolder())
        #expect(found == (count > 3 ? ["silent-budget"] : []))
    }

    @Test func unusedColumnsStandAtTheirFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("username,tz,city,phone\nalice,UTC,Oxford,1\n", to: "people.csv")
        let found = try remarks(
            on: TemporaryFolder.campaign(
                audience: "files: [people.csv]", payload: "text: \"Hello {{city}}\"",
                rest: """
                    schedule:
                      at: 2030-12-01T09:00
                      time_zone: UTC
                      quiet_hours: { from: "21:00", to: "08:00", time_zone_column: tz }
                    """),
            in: folder)
        let finding = try #require(found.first)
        #expect(found.count == 1)
        #expect(finding.severity == .hint)
        #expect(finding.message.text == "No text uses \"phone\" of \"people.csv\".")
        #expect(finding.range.line == 4 && finding.range.column == 21)
    }

    @Test(arguments: [
        ("anna.schmidt@mail.example.com", true), ("team@example.org", true), ("a@b", false),
        ("@anna", false), ("00491701234567", true), ("030-1234-5678", true), ("12345678", false),
        ("4711", false), ("customer-2026-11-22", false), ("2026-11-22-1234", false),
        ("anna.schmidt", false), ("192.168.0.1", false), ("a@b.c", false), ("a@b..de", false),
        ("a@.de", false), ("a@b.de.", false), ("a@b@c.de", false), ("a@b.d1", false),
        ("@b.de", false), ("a@b.DE", true), ("0301234567", true), ("030123456", false),
        ("123456789012345678", false), ("030.123.45.67", true), ("030-1-234567", false),
        ("1999-12-31-1234", false), ("1899-12-31-1234", true), ("2026-112-2222", true), ("", false),
    ])
    func addressesAndNumbersOfPeopleAreSeen(_ name: String, _ isPersonal: Bool) {
        #expect(PersonalNameCheck.isPersonal(name) == isPersonal)
    }

    @Test func everyPersonalNameIsToldAtItsPlaceAndMasked() throws {
        let found = try remarks(
            on: TemporaryFolder.campaign(
                audience: "usernames: [a@example.com, bob, c@example.com]"),
            in: TemporaryFolder())
        #expect(found.map(\.rule) == ["personal-username", "personal-username"])
        #expect(found.map(\.range.column) == [25, 45])
        let text = TextDiagnosticRenderer(masksAudience: true).render(found)
        #expect(!text.contains("example.com"))
    }

    @Test(arguments: [
        (20, 20, "looks like"), (21, 21, "One more username looks like"),
        (25, 21, "5 more usernames look like"),
    ])
    func ofManyPersonalNamesTheRestIsCounted(
        _ count: Int, _ hints: Int, _ last: String
    ) throws {
        let names = (1...count).map { "user-\($0)@example.com" }.joined(separator: ", ")
        let found = try remarks(
            on: TemporaryFolder.campaign(audience: "usernames: [\(names)]"), in: TemporaryFolder())
        #expect(found.count == hints)
        #expect(found.last?.message.text.contains(last) == true)
    }

    @Test func namesOfTheConfigAreNotCountedWithTheCampaigns() throws {
        let folder = try TemporaryFolder()
        let names = (1...30).map { "user-\($0)@example.com" }.joined(separator: ", ")
        let config = try ConfigFile.read(
            folder.write(
                "defaults: { audience: { exclude: { usernames: [\(names)] } } }\nstore: a\n",
                to: "hubsend.yaml", mode: 0o600), isNamed: false)
        let loaded = try CampaignFile.read(
            folder.write(
                TemporaryFolder.campaign(audience: "usernames: [a@example.com]"),
                to: "campaign.yaml"),
            scope: FileScope(root: folder.path), terms: #require(config.config).terms)
        #expect(loaded.lint.remarks.map(\.rule) == ["personal-username"])
    }

    @Test func aLineThatNamesPeopleIsMaskedWhateverIsSaidAboutIt() throws {
        let folder = try TemporaryFolder()
        try folder.write("username,phone\nalice,1\n", to: "people.csv")
        let found = try remarks(
            on: TemporaryFolder.campaign(audience: "usernames: [quentin], files: [people.csv]"),
            in: folder)
        #expect(found.map(\.rule) == ["unused-column"])
        #expect(!TextDiagnosticRenderer(masksAudience: true).render(found).contains("quentin"))
        #expect(TextDiagnosticRenderer().render(found).contains("quentin"))
    }

    @Test(arguments: [
        ("SharedAccessKeyName=send;SharedAccessKey=Zm9yIGV4YW1wbGUgb25seSwgbm90IGEga2V5", true),
        ("https://user:hunter2@shop.example/", true),
        ("-----BEGIN PRIVATE KEY-----x", true), ("AKIA" + "IOSFODNN7EXAMPLE", true),
        ("Your password: forgotten? Tap here.", false),
        ("https://shop.example/0123456789abcdef0123456789abcdef01234567", false),
        ("sk-spring-sale-2026-loyalty", false),
    ])
    func secretsAreFoundAndNeverShown(_ text: String, _ isSecret: Bool) throws {
        let found = try remarks(
            on: TemporaryFolder.campaign(rest: "description: \"\(text)\""), in: TemporaryFolder())
        #expect(found.map(\.rule) == (isSecret ? ["secret-in-file"] : []))
        let shown = TextDiagnosticRenderer().render(found)
        #expect(!shown.contains("hunter2") && !shown.contains("Zm9y"))
    }

    @Test func theFilesOfACampaignAreNamedAlsoWhenItHasFaults() throws {
        let folder = try TemporaryFolder()
        let loaded = try folder.load(
            TemporaryFolder.campaign(
                kind: "kind: nothing",
                audience:
                    "files: [a.csv, { path: b.csv }, \"export:e.csv\"], exclude: { files: [c.txt, \"export:f.csv\"] }",
                payload: "file: d.txt"))
        #expect(loaded.campaign == nil)
        #expect(loaded.lint.namedFiles == ["a.csv", "b.csv", "c.txt", "d.txt"].map(folder.file))
        #expect(try folder.load("[").lint.namedFiles == nil)
    }
}
