/// A kind of mistake that `hubsend validate` finds, with the reason why it matters.
///
/// The source of `hubsend rules`, hubsend-rules(7) and the rules' texts in reports.
package struct Rule: Sendable {
    typealias Check = @Sendable (LintDocument) -> [Remark]

    /// A stable name in kebab-case, which scripts can filter by.
    package let id: String
    /// The usual severity; in a harmless case, the finding may be a warning.
    package let severity: Diagnostic.Severity
    package let title: String
    package let why: String
    package let wrong: RuleExample
    package let right: RuleExample
    /// nil if the rule is checked while files are read.
    let check: Check?

    init(
        _ id: String, _ severity: Diagnostic.Severity, _ title: String, _ why: String,
        wrong: RuleExample, right: RuleExample, check: Check? = nil
    ) {
        self.id = id
        self.severity = severity
        self.title = title
        self.why = why
        self.wrong = wrong
        self.right = right
        self.check = check
    }

    /// Creates a rule whose examples include files next to the campaign.
    init(
        _ id: String, _ severity: Diagnostic.Severity, _ title: String, _ why: String,
        campaign: String, wrong: RuleExample.Files, right: RuleExample.Files, check: Check? = nil
    ) {
        self.init(
            id, severity, title, why, wrong: RuleExample(campaign, with: wrong),
            right: RuleExample(campaign, with: right), check: check)
    }
}

extension Rule: Hashable {
    package static func == (one: Rule, other: Rule) -> Bool { one.id == other.id }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Rule {
    package struct Group: Sendable {
        package let title: String
        package let rules: [Rule]
    }

    package static let all = groups.flatMap(\.rules).sorted { $0.id < $1.id }

    package static func named(_ id: String) -> Rule? { all.first { $0.id == id } }
}
