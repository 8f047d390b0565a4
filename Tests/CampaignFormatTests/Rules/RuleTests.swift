import Foundation
import TestSupport
import Testing
import YAMLSyntax

@testable import CampaignFormat

/// One source for all texts about rules.
@Suite(.bounded) struct RuleDescriptionTests {
    @Test func everyRuleIsDescribedOnceUnderItsName() {
        let rules =
            DiagnosticRule.allCases.map(\.rawValue) + YAMLFault.Rule.allCases.map(\.rawValue)
        let described = RuleDescription.all.map(\.id)
        #expect(Set(described) == Set(rules))
        #expect(Set(described).count == described.count)
        #expect(described.allSatisfy { RuleDescription.named($0)?.id == $0 })
        #expect(RuleDescription.named("no-such-rule") == nil)
    }

    @Test func titlesAreShortAndReasonsAreSentences() {
        for rule in RuleDescription.all {
            #expect(!rule.title.hasSuffix(".") && rule.title.count <= 76, "\(rule.id)")
            #expect(rule.why.hasSuffix("."), "\(rule.id)")
            #expect(!rule.wrong.shown.isEmpty && rule.wrong != rule.right, "\(rule.id)")
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
        for rule in RuleDescription.all { #expect(list.contains("\n  \(rule.id) "), "\(rule.id)") }
        let rule = try #require(RuleDescription.named("unknown-key"))
        let page = RulesText().page(rule)
        #expect(page.hasPrefix("unknown-key (error): There is no such key\n\n"))
        #expect(page.contains("\nWrong:\n\n    delivery: { rat: 100/s }\n"))
        #expect(page.hasSuffix("\nRight:\n\n    delivery: { rate: 100/s }\n"))
        #expect(page.split(separator: "\n").allSatisfy { $0.count <= 81 })
    }

    @Test func programsGetTheSameAsAnArray() throws {
        let text = try RulesJSON.text(RuleDescription.all)
        let rows = try #require(
            JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: String]])
        #expect(rows.compactMap { $0["id"] } == RuleDescription.all.map(\.id))
        let keys: Set = ["id", "severity", "title", "group", "why", "wrong", "right"]
        #expect(rows.allSatisfy { Set($0.keys) == keys })
    }
}
