import YAMLSyntax

/// What `hubsend validate` checks under one name, and why.
///
/// The source of `hubsend rules`, hubsend-rules(7) and the rules' texts in reports.
package struct RuleDescription: Hashable, Sendable {
    /// Stable, in kebab-case: scripts filter by it.
    package let id: String
    /// The usual one; the same of something harmless may be a warning.
    package let severity: Diagnostic.Severity
    package let title: String
    package let why: String
    package let wrong: RuleExample
    package let right: RuleExample

    init(
        _ rule: DiagnosticRule, _ severity: Diagnostic.Severity, _ title: String, why: String,
        wrong: RuleExample, right: RuleExample
    ) {
        self.init(
            id: rule.rawValue, severity, title, why: why, wrong: wrong, right: right)
    }

    /// All rules of YAML itself are errors.
    init(
        yaml rule: YAMLFault.Rule, _ title: String, why: String, wrong: RuleExample,
        right: RuleExample
    ) {
        self.init(id: rule.rawValue, .error, title, why: why, wrong: wrong, right: right)
    }

    private init(
        id: String, _ severity: Diagnostic.Severity, _ title: String, why: String,
        wrong: RuleExample, right: RuleExample
    ) {
        self.id = id
        self.severity = severity
        self.title = title
        self.why = why
        self.wrong = wrong
        self.right = right
    }
}

extension RuleDescription {
    package struct Group: Sendable {
        package let title: String
        package let rules: [RuleDescription]
    }

    package static let groups = [
        Group(title: "YAML", rules: yaml), Group(title: "Keys and values", rules: values),
        Group(title: "Campaigns", rules: campaign), Group(title: "Texts", rules: texts),
        Group(title: "Sending", rules: sending), Group(title: "Files", rules: files),
        Group(title: "Audiences", rules: audience),
        Group(title: "Audience files", rules: audienceFiles),
    ]

    package static let all = groups.flatMap(\.rules).sorted { $0.id < $1.id }

    private static let byName = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }

    package static func named(_ id: String) -> RuleDescription? { byName[id] }

    static func of(_ rule: DiagnosticRule) -> RuleDescription? { byName[rule.rawValue] }
}
