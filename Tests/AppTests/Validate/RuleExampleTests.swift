import CampaignFormat
import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct RuleExampleTests {
    /// The example of this rule is not run, because a file of two million values would be too slow.
    private static let untried: Set = ["too-many-nodes"]
    /// A search skips these files, so they have to be named.
    private static let named: Set = ["not-a-campaign", "empty-file"]

    @Test(
        "A rule's wrong example breaks the rule, and its right example does not",
        arguments: Rule.all.map(\.id).filter { !untried.contains($0) })
    func rulesWrongExampleBreaksTheRuleAndItsRightExampleDoesNot(_ id: String) async throws {
        let rule = try #require(Rule.named(id))
        let wrong = try await findings(in: rule.wrong, of: id)
        #expect(
            wrong.contains { $0.rule == id && $0.severity == rule.severity },
            "\(wrong.map(\.rule))")
        let right = try await findings(in: rule.right, of: id)
        #expect(
            !right.contains { $0.rule == id || $0.severity == .error },
            "\(right.map(\.message.text))")
    }

    private func findings(in example: RuleExample, of rule: String) async throws -> [Diagnostic] {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.campaign(example), to: "campaign.yaml")
        for (path, content) in example.files { try write(content, to: path, in: folder) }
        let search = CampaignSearch([Self.named.contains(rule) ? file : folder.path])
        let run = try await ValidationRun(
            flags: SettingFlags(),
            invocation: Invocation(),
            rules: try RuleChoice()
        ).check(search.files())
        #expect(run.failures.isEmpty)
        return run.findings
    }

    private func write(
        _ content: RuleExample.Content, to path: String, in folder: TemporaryFolder
    ) throws {
        switch content {
        case .text(let text): try folder.write(text, to: path)
        case .bytes(let bytes, _): try folder.write(bytes, to: path)
        case .names(let count):
            try folder.write((1...count).map { "user-\($0)\n" }.joined(), to: path)
        case .lines(let line, let count):
            try folder.write(String(repeating: line + "\n", count: count), to: path)
        case .size(let bytes):
            try folder.write([UInt8](repeating: UInt8(ascii: "x"), count: bytes), to: path)
        case .aged(let text, let days):
            let file = try folder.write(text, to: path)
            let date = Date(timeIntervalSinceNow: -86_400 * Double(days))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file)
        case .link(let target):
            try FileManager.default.createSymbolicLink(
                atPath: folder.file(path), withDestinationPath: target)
        }
    }

    /// Adds the keys that the example lacks for a valid campaign.
    private static func campaign(_ example: RuleExample) -> String {
        let text = example.text + "\n"
        guard !example.isWhole else { return text }
        let lines = text.split(separator: "\n")
        let keys = Set(
            lines.compactMap { $0.first?.isLetter == true ? $0.prefix { $0 != ":" } : nil })
        let kind = lines.first { $0.hasPrefix("kind: ") }?.dropFirst(6) ?? "secure"
        let payload =
            switch kind {
            case "alert": "{ message: Hello }"
            case "rich": "{ message: Hello, type: text, text: Hello }"
            default: "{ text: Hello }"
            }
        let good = [
            ("campaign", "spring-sale"), ("kind", "secure"), ("platforms", "[apns]"),
            ("audience", "{ usernames: [alice] }"), ("payload", payload),
        ].filter { !keys.contains(Substring($0.0)) }.map { "\($0.0): \($0.1)\n" }.joined()
        // A directive must come before all keys.
        return text.hasPrefix("%") ? text + good : good + text
    }
}
