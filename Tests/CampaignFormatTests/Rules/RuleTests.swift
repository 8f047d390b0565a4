import Foundation
import TestSupport
import Testing

@testable import CampaignFormat

/// Tests that all texts about rules come from one source; `RuleExampleTests` checks the examples.
@Suite(.bounded) struct RuleTests {
    @Test("Rules have unique names, short titles and full sentences")
    func rulesHaveUniqueNamesShortTitlesAndFullSentences() {
        #expect(Set(Rule.all).count == Rule.all.count)
        for rule in Rule.all {
            #expect(!rule.title.hasSuffix(".") && rule.title.count <= 76, "\(rule.id)")
            #expect(rule.why.hasSuffix("."), "\(rule.id)")
        }
    }

    /// With `RECORD_FIXTURES` it writes the page and fails, so that a person reviews the change.
    @Test("The manual matches the descriptions of the rules")
    func manualMatchesTheDescriptionsOfTheRules() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../man/hubsend-rules.7")
        if ProcessInfo.processInfo.environment["RECORD_FIXTURES"] != nil {
            try RulesManual.page.write(to: url, atomically: true, encoding: .utf8)
            Issue.record("hubsend-rules.7 was recorded.")
        }
        #expect(try String(contentsOf: url, encoding: .utf8) == RulesManual.page)
    }

    @Test("The list has a line for each rule, and a rule's page has its examples")
    func listHasALineForEachRuleAndARulesPageHasItsExamples() throws {
        let list = RulesText().list()
        for rule in Rule.all { #expect(list.contains("\n  \(rule.id) "), "\(rule.id)") }
        #expect(
            RulesText().page(.unknownKey) == """
                unknown-key (error): There is no such key

                If a misspelt key were ignored, the campaign would be sent without its value.

                Wrong:

                    delivery: { rat: 100/s }

                Right:

                    delivery: { rate: 100/s }

                """)
    }

    @Test("The JSON array has the same content as the list of rules")
    func jsonArrayHasTheSameContentAsTheListOfRules() throws {
        let rows = try JSONDecoder().decode(
            [[String: String]].self, from: Data(RulesJSON.text(Rule.all).utf8))
        #expect(rows.compactMap { $0["id"] } == Rule.all.map(\.id))
        let keys: Set = ["id", "severity", "title", "group", "why", "wrong", "right"]
        #expect(rows.allSatisfy { Set($0.keys) == keys && $0["group"] != "" })
    }
}
