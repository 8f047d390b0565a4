import TestSupport
import Testing

@testable import CampaignFormat

/// Cases that the fixtures of mistakes and the rules' examples do not cover.
@Suite(.bounded) struct LintTests {
    private func remarks(
        on text: String, in folder: TemporaryFolder
    ) throws -> [Diagnostic] {
        let loaded = try folder.load(text)
        #expect(!loaded.diagnostics.hasErrors, "\(loaded.diagnostics.map(\.message.text))")
        return loaded.lint.remarks
    }

    @Test(
        "A type that does not match the content is reported",
        arguments: [
            ("img", "file: a.png", true), ("IMAGE", "file: a.png", true),
            ("gif", "file: a.png", false),
            ("sound", "file: a.png", false), ("text", "file: a.png", false),
            ("url", "file: a.png", false), ("coupon", "file: a.png", true),
            ("text", "file: a.txt", true), ("img", "file: a.txt", false),
            ("img", "file: a.bin", false), ("sound", "file: a.mp3", true),
            ("text", "text: Hi", true),
            ("json", "text: Hi", true), ("vip", "text: Hi", true),
        ])
    func typeThatDoesNotMatchTheContentIsReported(_ type: String, _ content: String, _ isGood: Bool)
        throws
    {
        let folder = try TemporaryFolder()
        try folder.write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], to: "a.png")
        for file in ["a.txt", "a.bin", "a.mp3"] { try folder.write("A", to: file) }
        let found = try remarks(
            on: TemporaryFolder.campaign(
                kind: "kind: rich", payload: "message: Hi, type: \(type), \(content)"),
            in: folder)
        #expect(found.map(\.rule) == (isGood ? [] : ["payload-type"]))
    }

    @Test(
        "A campaign with more silent pushes than iOS delivers is reported",
        arguments: [
            ("delivery: { frequency_cap: { pushes: 3, per: 1h } }", true),
            ("delivery: { frequency_cap: { pushes: 4, per: 1h } }", false),
            ("delivery: { frequency_cap: { pushes: 2, per: 30m } }", true),
            ("delivery: { frequency_cap: { pushes: 4, per: 30m } }", false),
            ("delivery: { frequency_cap: { pushes: 24, per: 1d } }", true),
            ("delivery: { frequency_cap: { pushes: 1000, per: 7d } }", true),
            ("schedule: { cron: \"* * * * *\", time_zone: UTC }", false),
            ("schedule: { cron: \"0,20,40 * * * *\", time_zone: UTC }", true),
            ("schedule: { cron: \"0-10/5,30 * * * *\", time_zone: UTC }", false),
        ])
    func campaignWithMoreSilentPushesThanIOSDeliversIsReported(_ keys: String, _ isGood: Bool)
        throws
    {
        let folder = try TemporaryFolder()
        let silent = try remarks(on: TemporaryFolder.campaign(rest: keys), in: folder)
        #expect(Set(silent.map(\.rule)) == (isGood ? [] : ["silent-budget"]))
        let alert = TemporaryFolder.campaign(
            kind: "kind: alert", payload: "message: Hello", rest: keys)
        #expect(try remarks(on: alert, in: folder).isEmpty)
        let android = TemporaryFolder.campaign(platforms: "[fcm]", rest: keys)
        #expect(try remarks(on: android, in: folder).isEmpty)
    }

    @Test("A column that a key refers to counts as used") func columnThatAKeyRefersToCountsAsUsed()
        throws
    {
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
        #expect(found.map(\.message.text) == ["No text uses \"phone\" from \"people.csv\"."])
    }

    @Test(
        "E-mail addresses and phone numbers are recognised",
        arguments: [
            ("anna.schmidt@mail.example.com", true), ("team@example.org", true), ("a@b", false),
            ("@anna", false), ("00491701234567", true), ("030-1234-5678", true),
            ("12345678", false),
            ("4711", false), ("customer-2026-11-22", false), ("2026-11-22-1234", false),
            ("anna.schmidt", false), ("192.168.0.1", false), ("a@b.c", false), ("a@b..de", false),
            ("a@.de", false), ("a@b.de.", false), ("a@b@c.de", false), ("a@b.d1", false),
            ("@b.de", false), ("a@b.DE", true), ("0301234567", true), ("030123456", false),
            ("123456789012345678", false), ("030.123.45.67", true), ("030-1-234567", false),
            ("1999-12-31-1234", false), ("1899-12-31-1234", true), ("2026-112-2222", true),
            ("", false),
        ])
    func eMailAddressesAndPhoneNumbersAreRecognised(_ name: String, _ isPersonal: Bool) {
        #expect(PersonalNames.isPersonal(name) == isPersonal)
    }

    @Test(
        "Personal usernames are listed up to a limit, and the others are counted",
        arguments: [
            (20, 20, "looks like"), (21, 21, "One more username looks like"),
            (25, 21, "5 more usernames look like"),
        ])
    func personalUsernamesAreListedUpToALimitAndTheOthersAreCounted(
        _ count: Int, _ hints: Int, _ last: String
    ) throws {
        let names = (1...count).map { "user-\($0)@example.com" }.joined(separator: ", ")
        let found = try remarks(
            on: TemporaryFolder.campaign(audience: "usernames: [\(names)]"), in: TemporaryFolder())
        #expect(found.count == hints)
        #expect(found.last?.message.text.contains(last) == true)
    }

    @Test("Names in the config are counted separately from those in the campaign")
    func namesInTheConfigAreCountedSeparatelyFromThoseInTheCampaign() throws {
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

    @Test(
        "A secret in a file is distinguished from ordinary text",
        arguments: [
            ("SharedAccessKeyName=send;SharedAccessKey=Zm9yIGV4YW1wbGUgb25seSwgbm90IGEga2V5", true),
            ("https://user:hunter2@shop.example/", true),
            ("-----BEGIN PRIVATE KEY-----x", true), ("AKIA" + "IOSFODNN7EXAMPLE", true),
            ("Your password: forgotten? Tap here.", false),
            ("https://shop.example/0123456789abcdef0123456789abcdef01234567", false),
            ("sk-spring-sale-2026-loyalty", false),
        ])
    func secretInAFileIsDistinguishedFromOrdinaryText(_ text: String, _ isSecret: Bool) throws {
        let campaign = TemporaryFolder.campaign(rest: "description: \"\(text)\"")
        let found = try remarks(on: campaign, in: TemporaryFolder())
        #expect(found.map(\.rule) == (isSecret ? ["secret-in-file"] : []))
    }

    @Test("The files of a campaign are listed even if it has errors")
    func filesOfACampaignAreListedEvenIfItHasErrors() throws {
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
