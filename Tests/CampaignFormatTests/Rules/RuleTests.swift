import Foundation
import TestSupport
import Testing

@testable import CampaignFormat

/// One source for all texts about rules; `RuleExampleTests` checks the examples.
@Suite(.bounded) struct RuleTests {
    @Test func namesAreUniqueTitlesAreShortAndReasonsAreSentences() {
        #expect(Set(Rule.all).count == Rule.all.count)
        for rule in Rule.all {
            #expect(!rule.title.hasSuffix(".") && rule.title.count <= 76, "\(rule.id)")
            #expect(rule.why.hasSuffix("."), "\(rule.id)")
        }
    }

    /// With `RECORD_FIXTURES` it writes the page and fails, so that a person reviews the change.
    @Test func theManualIsWhatTheDescriptionsSay() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../man/hubsend-rules.7")
        if ProcessInfo.processInfo.environment["RECORD_FIXTURES"] != nil {
            try RulesManual.page.write(to: url, atomically: true, encoding: .utf8)
            Issue.record("hubsend-rules.7 was recorded.")
        }
        #expect(try String(contentsOf: url, encoding: .utf8) == RulesManual.page)
    }

    @Test func theListHasALineForEachRuleAndThePageItsExamples() throws {
        let list = RulesText().list()
        for rule in Rule.all { #expect(list.contains("\n  \(rule.id) "), "\(rule.id)") }
        #expect(
            RulesText().page(.unknownKey) == """
                unknown-key (error): There is no such key

                A misspelt key would otherwise be passed over, and the campaign sent without
                what it says.

                Wrong:

                    delivery: { rat: 100/s }

                Right:

                    delivery: { rate: 100/s }

                """)
    }

    @Test func programsGetTheSameAsAnArray() throws {
        let rows = try JSONDecoder().decode(
            [[String: String]].self, from: Data(RulesJSON.text(Rule.all).utf8))
        #expect(rows.compactMap { $0["id"] } == Rule.all.map(\.id))
        let keys: Set = ["id", "severity", "title", "group", "why", "wrong", "right"]
        #expect(rows.allSatisfy { Set($0.keys) == keys && $0["group"] != "" })
    }
}
