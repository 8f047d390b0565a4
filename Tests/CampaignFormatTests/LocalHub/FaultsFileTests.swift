import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct FaultsFileTests {
    private func fault(_ text: String) throws -> Fault? {
        FaultsFile.read(text: text, from: "--fault").faults?.first
    }

    @Test("Every key of a fault is read") func everyKeyOfAFaultIsRead() throws {
        var fault = Fault(.status(429, retryAfter: 30))
        fault.share = 0.005
        fault.operations = .all
        fault.platform = .apns
        fault.first = 2
        fault.last = 9
        fault.every = 3
        fault.after = .seconds(10)
        fault.until = .seconds(60)
        #expect(
            try self.fault(
                "status: 429, retry_after: 30, share: 0.5%, on: all, platform: apns, first: 2, "
                    + "last: 9, every: 3, after: 10s, until: 1m") == fault)
    }

    @Test(
        "Every effect of a fault is read",
        arguments: [
            ("drop: before", Fault.Effect.drop(takesEffect: false)),
            ("drop: after", .drop(takesEffect: true)), ("hang: after", .hang(takesEffect: true)),
            ("latency: 50ms", .latency(.milliseconds(50), jitter: .zero)),
            ("latency: 2s, jitter: 1s", .latency(.seconds(2), jitter: .seconds(1))),
            ("slow: 100", .slow(100)), ("wrong_tokens: 1%", .wrongTokens),
        ])
    func everyEffectOfAFaultIsRead(text: String, effect: Fault.Effect) throws {
        #expect(try fault(text)?.effect == effect)
    }

    @Test(
        "A flag that is not a fault is explained",
        arguments: [
            "", "status", "status: 500, share: 5", "}, {", "status: 500 }]\nfaults: [{ slow: 1",
            "nothing: 1", "status: 500, on: telemetry, platform: apns",
            "status: 500, first: 2, last: 1",
            "status: 500, every: 10, last: 9",
        ])
    func flagThatIsNotAFaultIsExplained(text: String) throws {
        let loaded = FaultsFile.read(text: text, from: "--fault")
        #expect(loaded.faults == nil)
        #expect(loaded.diagnostics.first?.file == "--fault")
    }

    @Test(
        "A share is given as a percentage",
        arguments: [
            ("5%", 0.05), ("100%", 1), ("0.001%", 0.00001), ("0%", nil), ("100.1%", nil),
            ("5", nil),
            ("-1%", nil), ("1.2345%", nil), ("1.%", nil), ("%", nil), ("a%", nil),
        ] as [(String, Double?)])
    func shareIsGivenAsAPercentage(text: String, share: Double?) {
        #expect(ShareText.parse(text) == share)
    }

    @Test("A typo is reported once, with its position") func typoIsReportedOnceWithItsPosition()
        throws
    {
        let loaded = FaultsFile.read(text: "stauts: 500", from: "--fault")
        #expect(loaded.diagnostics.map(\.rule) == ["unknown-key"])
        #expect(loaded.diagnostics.first?.range.column == 1)
        let braces = FaultsFile.read(text: "{ stauts: 500 } # why", from: "--fault")
        #expect(braces.diagnostics.first?.range.column == 3)
    }

    @Test(
        "An error in a fault is reported at its position in the given text",
        arguments: [
            ("status: 500, shar: 5%", 14, 1, "   1 | status: 500, shar: 5%"),
            ("status: 500 share: 5%", 18, 1, "   1 | status: 500 share: 5%"),
            ("status: 500\nshar: 5%", 1, 2, "   2 | shar: 5%"),
            ("status: 500,\n  share: x # why", 10, 2, "   2 |   share: x # why"),
            ("status: 500}", 13, 1, "   1 | status: 500}"), ("share: 5%", 1, 1, "   1 | share: 5%"),
            ("{ stauts: 500 }", 3, 1, "   1 | { stauts: 500 }"),
        ] as [(String, Int, Int, String)])
    func errorInAFaultIsReportedAtItsPositionInTheGivenText(
        text: String, column: Int, line: Int, quoted: String
    ) throws {
        let found = FaultsFile.read(fileOrFault: text, from: "body").diagnostics
        let first = try #require(found.sorted().first)
        #expect(first.range.line == line)
        #expect(first.range.column == column)
        let shown = TextDiagnosticRenderer().render([first]).split(separator: "\n")
        #expect(shown.contains { $0 == quoted }, "\(shown)")
    }

    @Test("A fault can be written with one key per line") func faultCanBeWrittenWithOneKeyPerLine()
        throws
    {
        let loaded = FaultsFile.read(
            fileOrFault: "# slow\nstatus: 429\nretry_after: 2\nshare: 5%\n", from: "body")
        #expect(loaded.faults?.first?.effect == .status(429, retryAfter: 2))
        #expect(loaded.faults?.first?.share == 0.05)
        #expect(FaultsFile.read(text: "status: 500,\nshare: 5%", from: "body").faults?.count == 1)
    }

    @Test(
        "Text is read as either a file or a single fault",
        arguments: [
            "faults: [{ status: 500 }]", "# why\n\nfaults:\n  - status: 500\n",
            "{\n  \"faults\": [{\"status\": 500}]\n}\n", #"{"faults":[{"status":500}]}"#,
            "---\nfaults: [{ status: 500 }]", "status: 500", " { status: 500 }\n",
            #"{"status":500}"#, "status: 500\n",
        ])
    func textIsReadAsEitherAFileOrASingleFault(text: String) throws {
        let loaded = FaultsFile.read(fileOrFault: text, from: "body")
        #expect(loaded.faults == [Fault(.status(500, retryAfter: nil))], "\(loaded.diagnostics)")
    }

    @Test("A file may contain no faults, but empty text is refused")
    func fileMayContainNoFaultsButEmptyTextIsRefused() throws {
        #expect(FaultsFile.read(fileOrFault: "faults: []", from: "body").faults == [])
        #expect(FaultsFile.read(fileOrFault: "", from: "body").faults == nil)
        let broken = FaultsFile.read(fileOrFault: "faults: [{ stats: 500 }]", from: "body")
        #expect(broken.diagnostics.map(\.file) == ["body"])
        #expect(broken.diagnostics.first?.range.column == 12)
    }

    @Test("Braces and comments around a fault are accepted")
    func bracesAndCommentsAroundAFaultAreAccepted() throws {
        #expect(try fault("{ status: 500 }") == fault("status: 500"))
        #expect(try fault("status: 500 # why") == fault("status: 500"))
        #expect(try fault("status: 500") != nil)
    }

    @Test("A fault for every nth request first applies to the nth")
    func faultForEveryNthRequestFirstAppliesToTheNth() throws {
        #expect(try fault("drop: after, every: 100")?.first == 100)
        #expect(try fault("drop: after, every: 100, first: 1")?.first == 1)
        #expect(try fault("drop: after")?.first == 1)
    }
}
