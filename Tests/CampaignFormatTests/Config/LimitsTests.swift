import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct LimitsTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let config = """
        limits:
          recipients: 100
          rate: 50/s
          kinds: [secure, alert]
        """

    private func load(_ campaign: String, with config: String = config) throws -> LoadedCampaign {
        let loaded = try ConfigFile.read(
            folder.write(config, to: "hubsend.yaml", mode: 0o600), isNamed: false)
        #expect(loaded.diagnostics.isEmpty)
        return try CampaignFile.read(
            folder.write(campaign, to: "campaign.yaml"),
            terms: try #require(loaded.config).terms)
    }

    private func rendered(_ diagnostics: [Diagnostic]) -> String {
        TextDiagnosticRenderer().render(diagnostics).replacing(folder.path + "/", with: "")
    }

    @Test("If a campaign sets no value, the limit is used as the value")
    func ifACampaignSetsNoValueTheLimitIsUsedAsTheValue() throws {
        let loaded = try load(TemporaryFolder.campaign())
        #expect(loaded.diagnostics.isEmpty)
        #expect(loaded.campaign?.delivery.rate == 50)
        #expect(loaded.campaign?.audience == AudienceRule(minimum: 1, maximum: 100))
        let slow = try load(
            TemporaryFolder.campaign(
                audience: "usernames: [alice], max_recipients: 7", rest: "delivery: { rate: 5/s }"))
        #expect(slow.campaign?.delivery.rate == 5)
        #expect(slow.campaign?.audience.maximum == 7)
    }

    @Test(
        "A cap must not cover a longer period than deliveries are kept for",
        arguments: [("30d", true), ("31d", false), ("745h", false), ("720h", true)])
    func capMustNotCoverALongerPeriodThanDeliveriesAreKeptFor(_ period: String, isGood: Bool)
        throws
    {
        let cap = "delivery: { frequency_cap: { pushes: 1, per: \(period) } }"
        let config = "retention: { deliveries: 30d }"
        let loaded = try load(TemporaryFolder.campaign(rest: cap), with: config)
        #expect(loaded.diagnostics.map(\.rule) == (isGood ? [] : ["over-limit"]))
        if !isGood {
            let text = rendered(loaded.diagnostics)
            #expect(text.contains("than the 30d for which the config retains deliveries"))
            #expect(text.contains("note: hubsend.yaml:1:26: The config sets the limit here."))
        }
        let shared = try ConfigFile.read(
            folder.write("\(config)\ndefaults: { \(cap) }\n", to: "hubsend.yaml", mode: 0o600),
            isNamed: false)
        #expect(shared.diagnostics.map(\.rule) == (isGood ? [] : ["over-limit"]))
        let unlimited = try load(TemporaryFolder.campaign(rest: cap), with: "store: a")
        #expect(unlimited.diagnostics.isEmpty)
    }

    @Test("The recipient limit does not remove the people of earlier runs")
    func recipientLimitDoesNotRemoveThePeopleOfEarlierRuns() throws {
        let loaded = try load(
            TemporaryFolder.campaign(
                audience: "runs: [{ campaign: notice, outcomes: [accepted], fetched: false }]"))
        let audience = try #require(loaded.campaign?.audience)
        #expect(audience.maximum == 100)
        #expect(audience.runs.map(\.campaign) == ["notice"])
        #expect(audience.runs.map(\.outcomes) == [[.accepted]])
        #expect(audience.runs.map(\.fetched) == [false])
    }

    /// The fixtures in `mistakes` cover a rate that is too high.
    @Test("An unlimited rate counts as over the limit") func unlimitedRateCountsAsOverTheLimit()
        throws
    {
        let loaded = try load(TemporaryFolder.campaign(rest: "delivery: { rate: unlimited }"))
        #expect(loaded.diagnostics.map(\.rule) == ["over-limit"])
    }

    @Test("A kind that the config does not allow is refused")
    func kindThatTheConfigDoesNotAllowIsRefused() throws {
        let loaded = try load(
            TemporaryFolder.campaign(
                kind: "kind: rich", payload: "message: Hi, type: text, text: Hello"))
        #expect(
            rendered(loaded.diagnostics) == """
                campaign.yaml:2:7: error: The config does not allow campaigns of kind rich. [over-limit]
                   2 | kind: rich
                     |       ^^^^
                  help: Allowed kinds: secure, alert.
                  note: hubsend.yaml:4:10: The config sets the limit here.

                """)
    }

    @Test("More recipients than the config allows are refused")
    func moreRecipientsThanTheConfigAllowsAreRefused() throws {
        let loaded = try load(
            TemporaryFolder.campaign(
                audience: "usernames: [alice], min_recipients: 101, max_recipients: 102"))
        #expect(loaded.diagnostics.map(\.rule) == ["over-limit", "over-limit"])
        #expect(loaded.diagnostics.allSatisfy { $0.related.first?.range.line == 2 })
    }

    @Test("An audience over the limit is reported with the config's line")
    func audienceOverTheLimitIsReportedWithTheConfigsLine() throws {
        let loaded = try load(TemporaryFolder.campaign())
        let problem = loaded.diagnostic(for: .tooMany(final: 101, maximum: 100))
        #expect(
            rendered([problem]) == """
                campaign.yaml:4:1: error: There are 101 recipients; the config allows at most 100. [audience-size]
                   4 | audience: { usernames: [alice] }
                     | ^^^^^^^^
                  help: Check whether the right people are listed; if the number is correct, raise the limit in the config.
                  note: hubsend.yaml:2:15: The config sets the limit here.

                """)
    }

    @Test("An unlimited rate in the config does not limit campaigns")
    func unlimitedRateInTheConfigDoesNotLimitCampaigns() throws {
        let loaded = try load(
            TemporaryFolder.campaign(rest: "delivery: { rate: unlimited }"),
            with: "limits: { rate: unlimited }\n")
        #expect(loaded.diagnostics.isEmpty)
        #expect(loaded.campaign?.delivery.rate == .some(nil))
    }
}
