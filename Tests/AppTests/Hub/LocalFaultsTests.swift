import LocalHub
import TestSupport
import Testing

@testable import App

/// Reads faults from flags, files and request bodies, and shows them again.
@Suite(.bounded) struct LocalFaultsTests {
    @Test(
        "A fault is shown as it was written",
        arguments: [
            "status: 500", "status: 429, retry_after: 30", "status: 503, retry_after: 0",
            "drop: before", "drop: after, every: 1000", "hang: before", "hang: after",
            "latency: 50ms", "latency: 2s", "latency: 1500ms, jitter: 20ms", "latency: 10m",
            "slow: 100", "wrong_tokens: 1%", "wrong_tokens: 100%",
            "wrong_tokens: 0.001%, platform: wns, after: 10s, until: 1m",
            "status: 500, share: 5%", "status: 500, share: 0.5%", "status: 500, share: 33.333%",
            "status: 500, share: 99.9%", "status: 500, on: registrations", "status: 500, on: all",
            "status: 500, on: installations", "status: 500, on: telemetry",
            "status: 500, platform: apns", "status: 500, platform: fcm", "status: 500, first: 3",
            "status: 500, first: 3, last: 9", "status: 500, last: 2",
            "status: 500, first: 1, every: 10", "status: 500, last: 10, every: 10",
            "status: 500, after: 90s", "status: 500, after: 1h, until: 2d",
            "status: 500, until: 1s",
            """
            status: 429, retry_after: 30, share: 0.5%, on: all, platform: apns, first: 2, last: 9, \
            every: 3, after: 10s, until: 1m
            """,
        ])
    func faultIsShownAsItWasWritten(text: String) throws {
        let rules = try LocalFaults.read(flags: [text], files: [])
        #expect(rules.map(\.text) == [text])
        #expect(try LocalFaults.read(body: text) == rules)
        #expect(try LocalFaults.read(body: "faults: [{ \(text) }]") == rules)
    }

    @Test(
        "Default values of a fault are omitted",
        arguments: [
            ("status: 500, share: 100%, on: sends, first: 1, every: 1", "status: 500"),
            ("every: 10, drop: after, first: 10", "drop: after, every: 10"),
            ("latency: 2000ms", "latency: 2s"),
            ("status: 500, after: 60s", "status: 500, after: 1m"),
            (#"{"status":500,"share":"5.10%"}"#, "status: 500, share: 5.1%"),
        ])
    func defaultValuesOfAFaultAreOmitted(text: String, shown: String) throws {
        let rules = try LocalFaults.read(body: text)
        #expect(rules.map(\.text) == [shown])
        #expect(try LocalFaults.read(body: shown) == rules)
    }

    @Test("Values with more precision than the text form are rounded")
    func valuesWithMorePrecisionThanTheTextFormAreRounded() throws {
        var rule = FaultRule(.latency(.microseconds(10), jitter: .milliseconds(1_999)))
        rule.share = 1e-9
        rule.after = .milliseconds(1_400)
        let text = "latency: 1ms, jitter: 1999ms, share: 0.001%, after: 1s"
        #expect(rule.text == text)
        #expect(try LocalFaults.read(body: rule.text).map(\.text) == [text])
        rule.platforms = [.wns, .adm]
        #expect(rule.text.contains("platform: [adm, wns]"))
    }

    @Test("An invalid request body is explained with line and column")
    func invalidRequestBodyIsExplainedWithLineAndColumn() throws {
        let file = "faults:\n  - { stats: 500 }\n"
        do {
            _ = try LocalFaults.read(body: file)
            Issue.record("it was read")
        } catch {
            #expect(error.explanation.hasPrefix("body:2:7: error: There is no key \"stats\""))
            #expect(error.explanation.hasSuffix("help: Did you mean \"status\"?"))
        }
        for text in ["", "status: 200", "faults: {", "faults: [{status: 500}]\nmore: 1", "\0"] {
            #expect(throws: UnreadableFaults.self, "\(text)") {
                try LocalFaults.read(body: text)
            }
        }
    }
}
