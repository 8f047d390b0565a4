import YAMLSyntax

/// What `hubsend validate` checks under one name, and why: the source of `hubsend rules`, of hubsend-rules(7) and of the rules'
/// texts in reports.
package struct RuleDescription: Hashable, Sendable {
    /// Its stable name in kebab-case: scripts filter by it.
    package let id: String
    /// How grave it is as a rule; some say the same of something harmless, as a warning.
    package let severity: Diagnostic.Severity
    /// What it is about, in a few words without a full stop.
    package let title: String
    /// Why it is checked, as full sentences.
    package let why: String
    /// What breaks it.
    package let wrong: RuleExample
    /// The same, mended.
    package let right: RuleExample

    /// A rule of campaign, config or audience files.
    init(
        _ rule: DiagnosticRule, _ severity: Diagnostic.Severity, _ title: String, why: String,
        wrong: RuleExample, right: RuleExample
    ) {
        self.init(
            id: rule.rawValue, severity, title, why: why, wrong: wrong, right: right)
    }

    /// A rule of YAML itself; all are errors.
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
    /// Rules of one kind, with a heading.
    package struct Group: Sendable {
        package let title: String
        package let rules: [RuleDescription]
    }

    /// All rules, in the order of the manual.
    package static let groups = [
        Group(title: "YAML", rules: yaml), Group(title: "Keys and values", rules: values),
        Group(title: "Campaigns", rules: campaign), Group(title: "Texts", rules: texts),
        Group(title: "Sending", rules: sending), Group(title: "Files", rules: files),
        Group(title: "Audiences", rules: audience),
        Group(title: "Audience files", rules: audienceFiles),
    ]

    /// All rules by name.
    package static let all = groups.flatMap(\.rules).sorted { $0.id < $1.id }

    private static let byName = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }

    /// The rule of a name; nil when there is none.
    package static func named(_ id: String) -> RuleDescription? { byName[id] }

    static func of(_ rule: DiagnosticRule) -> RuleDescription? { byName[rule.rawValue] }
}
