import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct FallbackTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("username,name,city\nalice,Alice,Rome\n", to: "people.csv")
    }

    private func load(
        _ fallback: String, kind: String = "rich",
        payload: String = "message: Hi, type: text, text: x"
    ) throws -> LoadedCampaign {
        try folder.load(
            TemporaryFolder.campaign(
                kind: "kind: \(kind)", audience: "files: [people.csv]", payload: payload,
                rest: "delivery: { fallback: { \(fallback) } }"))
    }

    @Test("A fallback has a delay and a message") func fallbackHasADelayAndAMessage() throws {
        let loaded = try load(
            "after: 1m, message: \"Hi {{name}}, look\"",
            payload: "message: \"{{city}}\", type: text, text: x")
        let campaign = try #require(loaded.campaign, "\(loaded.diagnostics)")
        #expect(
            campaign.fallback
                == Fallback(
                    after: .seconds(60), message: try MessageTemplate("Hi {{name}}, look")))
        // The fallback's variables follow those of the payload.
        #expect(campaign.variables == ["city", "name"])
        let people = try #require(loaded.audience).all(.named)
        #expect(people.map(\.values) == [["Rome", "Alice"]])
        #expect(loaded.lint.remarks.isEmpty)
        let none = try folder.load(TemporaryFolder.campaign())
        #expect(try #require(none.campaign).fallback == nil)
    }

    @Test(
        "A fallback that could not be sent produces an error",
        arguments: [
            ("rich", "after: 59s, message: Hi", "out-of-range"),
            ("rich", "after: 8d, message: Hi", "conflicting-keys"),
            ("rich", "after: 7d, message: Hi", "conflicting-keys"),
            ("rich", "after: soon, message: Hi", "invalid-duration"),
            ("rich", "after: 1h, message: \"Hi {{nobody}}\"", "variable-without-value"),
            ("rich", "after: 1h, message: \"Hi {{name\"", "invalid-template"),
            ("secure", "after: 1h, message: \"Hi {{name|you}}\"", "secure-leak"),
            ("alert", "after: 1h, message: Hi", "key-not-for-kind"),
        ])
    func fallbackThatCouldNotBeSentProducesAnError(
        _ kind: String, _ fallback: String, _ rule: String
    ) throws {
        let payload =
            switch kind {
            case "secure": "text: x"
            case "alert": "message: Hi"
            default: "message: Hi, type: text, text: x"
            }
        let loaded = try load(fallback, kind: kind, payload: payload)
        #expect(loaded.campaign == nil)
        #expect(loaded.diagnostics.map(\.rule) == [rule])
    }

    @Test("Private values are refused in a fallback")
    func privateValuesAreRefusedInAFallback() throws {
        func rules(_ key: String) throws -> [String] {
            try load(
                "after: 1h, message: \"Hi {{name}}\"",
                payload: "message: \"Hi {{name}}\", type: text, text: x\(key)"
            ).diagnostics.map(\.rule)
        }
        #expect(try rules(", private_message: true") == ["secure-leak"])
        #expect(try rules(", private_message: false").isEmpty)
        #expect(try rules("").isEmpty)
    }

    @Test("A planner's finding about the fallback is reported at the fallback's message")
    func plannersFindingAboutTheFallbackIsReportedAtTheFallbacks() throws {
        let loaded = try load("after: 1h, message: \"Hi {{name}}\"")
        let found = loaded.diagnostic(
            for: .inFallback(
                .bodyTooLarge(platform: .apns, bytes: 5_000, limit: 4_096, member: nil)))
        #expect(found.rule == "body-too-large")
        #expect((found.range.line, found.range.column) == (6, 45))
        #expect(
            found.message.text
                == "The body of the fallback for apns has 5,000 bytes; at most 4,096 are allowed.")
    }
}
