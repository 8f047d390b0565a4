import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct CampaignValuesTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("username,first_name\ncarol,Carol\n", to: "audiences/loyalty.csv")
        try folder.write("dave\n", to: "audiences/out.txt")
        try folder.write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], to: "images/logo.png")
    }

    @Test("Every key is read into the campaign") func everyKeyIsReadIntoTheCampaign() throws {
        let loaded = try folder.load(
            """
            campaign: spring-sale
            description: Spring sale
            kind: rich
            platforms: [wns, gcm]
            audience:
              files: [audiences/loyalty.csv]
              exclude: { files: [audiences/out.txt] }
              min_recipients: 2
              max_recipients: 50
            payload:
              message: "Hi {{first_name|there}}"
              type: img
              file: images/logo.png
              private_message: false
              expires_after: 2h
            delivery:
              rate: 250/s
              concurrency: 8
              retry: { attempts: 3, for: 90s }
              finish_within: 1d
              recipients_per_push: 20
              on_unknown: hold
              stop_when: { failed: 5%, after: 200 }
              frequency_cap: { pushes: 3, per: 1h }
            """)
        let campaign = try #require(loaded.campaign)
        #expect(campaign.name == "spring-sale")
        #expect(campaign.description == "Spring sale")
        #expect(campaign.kind == .rich)
        #expect(campaign.platforms == [.wns, .fcm])
        #expect(campaign.audience == AudienceRule(minimum: 2, maximum: 50))
        #expect(campaign.variables == ["first_name"])
        #expect(campaign.payload.texts.message?.fallback.source == "Hi {{first_name|there}}")
        #expect(campaign.payload.type?.source == "img")
        #expect(!campaign.payload.isMessagePrivate)
        #expect(campaign.payload.expiresAfter == .seconds(7_200))
        let retry = RetryLimits(attempts: 3, duration: .seconds(90))
        let policy = DeliveryPolicy(
            rate: 250, concurrency: 8, recipientsPerPush: 1, retry: retry,
            finishWithin: .seconds(86_400), onUnknown: .hold,
            stopWhen: FailureLimit(percent: 5, minimum: 200),
            frequencyCap: FrequencyCap(pushes: 3, period: .seconds(3_600)))
        #expect(campaign.delivery == policy)
        guard case .file(let file)? = campaign.payload.content else {
            Issue.record("The content is no file.")
            return
        }
        #expect(file.path == "images/logo.png")
        #expect(file.mediaType == "image/png")
        #expect(file.bytes.count == 8)
        #expect(loaded.diagnostics.map(\.rule) == ["old-spelling", "no-effect"])
    }

    @Test("Missing keys have the documented defaults")
    func missingKeysHaveTheDocumentedDefaults() throws {
        let campaign = try #require(try folder.load(TemporaryFolder.campaign()).campaign)
        #expect(campaign.delivery == DeliveryPolicy())
        #expect(campaign.audience == AudienceRule(minimum: 1, maximum: nil))
        #expect(campaign.payload.expiresAfter == .seconds(7 * 24 * 60 * 60))
        #expect(campaign.description == nil)
        #expect(!campaign.payload.isPersonal)
    }

    @Test("People who get the same content may share a push")
    func peopleWhoGetTheSameContentMayShareAPush() throws {
        let text = TemporaryFolder.campaign(
            rest: "delivery: { recipients_per_push: 20, stop_when: { failed: 1% } }")
        let campaign = try #require(try folder.load(text).campaign)
        #expect(campaign.delivery.recipientsPerPush == 20)
        #expect(campaign.delivery.stopWhen == FailureLimit(percent: 1, minimum: 100))
    }

    @Test("Only the fingerprints of keys that changed are different")
    func onlyTheFingerprintsOfKeysThatChangedAreDifferent() throws {
        let text = TemporaryFolder.campaign()
        let before = try #require(try folder.load(text).campaign?.fingerprints)
        let spaced = text.replacing("text: Hello", with: "text:   'Hello' ") + "\n# a comment\n"
        #expect(try folder.load(spaced).campaign?.fingerprints == before)
        let changed = text.replacing("Hello", with: "Hallo")
        let after = try #require(try folder.load(changed).campaign?.fingerprints)
        #expect(before.keys.sorted() == ["audience", "campaign", "kind", "payload", "platforms"])
        #expect(before.keys.filter { before[$0] != after[$0] } == ["payload"])
        #expect(before.values.allSatisfy { $0.count == 16 })
    }

    @Test("A payload file's fingerprint covers its content")
    func payloadFilesFingerprintCoversItsContent() throws {
        let text = TemporaryFolder.campaign().replacing("text: Hello", with: "file: news.txt")
        func fingerprints(_ content: String) throws -> [String: String] {
            try folder.write(content, to: "news.txt")
            return try #require(try folder.load(text).campaign?.fingerprints)
        }
        let before = try fingerprints("There is news.\n")
        #expect(try fingerprints("There is news.\n") == before)
        let after = try fingerprints("There is more.\n")
        #expect(after["payload"] == before["payload"])
        #expect(before["payload.file"]?.count == 16)
        #expect(after["payload.file"] != before["payload.file"])
    }

    @Test("Paths are relative to the campaign and stay within the config's folder")
    func pathsAreRelativeToTheCampaignAndStayWithinTheConfigsFolder() throws {
        let text = TemporaryFolder.campaign(audience: "files: [../audiences/out.txt]")
        let path = try folder.write(text, to: "spring/campaign.yaml")
        let alone = try CampaignFile.read(path)
        #expect(alone.diagnostics.map(\.rule) == ["refused-file"])
        let loaded = try CampaignFile.read(path, scope: FileScope(root: folder.path))
        #expect(loaded.diagnostics.isEmpty)
        #expect(try loaded.audience?.all(.named).map(\.username.text) == ["dave"])
    }

    @Test("A file that the caller excludes is not read")
    func fileThatTheCallerExcludesIsNotRead() throws {
        let text = TemporaryFolder.campaign(audience: "files: [audiences/out.txt]")
        let scope = FileScope(refused: [folder.path + "/audiences"])
        #expect(try folder.load(text, scope: scope).diagnostics.map(\.rule) == ["refused-file"])
    }

    @Test("A repeated name produces a warning where it is repeated")
    func repeatedNameProducesAWarningWhereItIsRepeated() throws {
        let loaded = try folder.load(
            TemporaryFolder.campaign(
                audience:
                    "usernames: [alice, bob, alice], exclude: { usernames: [carol, carol, bob] }"))
        let found = loaded.diagnostics
        #expect(loaded.campaign != nil)
        #expect(found.map(\.rule) == ["duplicate-value", "duplicate-value"])
        #expect(found.allSatisfy { $0.severity == .warning })
        #expect(found.map(\.range.column) == [37, 75])
        #expect(found.map { $0.related.map(\.range.column) } == [[25], [68]])
        #expect(found.first?.message.text == "The username \"alice\" appears twice.")
    }

    @Test("Repeated names are listed up to a limit, and the others are counted")
    func repeatedNamesAreListedUpToALimitAndTheOthersAreCounted() throws {
        let names = Array(repeating: "alice", count: 23).joined(separator: ", ")
        let loaded = try folder.load(TemporaryFolder.campaign(audience: "usernames: [\(names)]"))
        #expect(loaded.campaign != nil)
        #expect(loaded.diagnostics.count == 21)
        #expect(loaded.diagnostics.last?.message.text == "2 more usernames appear twice.")
    }

    @Test("Names that look like numbers or booleans are read as names")
    func namesThatLookLikeNumbersOrBooleansAreReadAsNames() throws {
        let text = TemporaryFolder.campaign(audience: "usernames: [no, 007, 1e3, true, 12:30]")
        let people = try #require(try folder.load(text).audience)
        #expect(
            try people.all(.named).map(\.username.text) == ["no", "007", "1e3", "true", "12:30"])
    }
}
