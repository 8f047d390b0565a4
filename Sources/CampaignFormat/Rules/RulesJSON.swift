import FoundationEssentials

/// An array of `{"id","severity","title","group","why","wrong","right"}`.
package enum RulesJSON {
    private struct Row: Encodable {
        let id: String
        let severity: Diagnostic.Severity
        let title: String
        let group: String
        let why: String
        let wrong: String
        let right: String
    }

    package static func text(_ rules: [RuleDescription]) throws -> String {
        let rows = rules.map { rule in
            Row(
                id: rule.id, severity: rule.severity, title: rule.title, group: group(of: rule),
                why: rule.why, wrong: rule.wrong.shown.joined(separator: "\n"),
                right: rule.right.shown.joined(separator: "\n"))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(rows), as: UTF8.self) + "\n"
    }

    private static func group(of rule: RuleDescription) -> String {
        RuleDescription.groups.first { $0.rules.contains(rule) }?.title ?? ""
    }
}
