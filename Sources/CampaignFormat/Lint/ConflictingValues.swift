package import CampaignCore

extension Rule {
    static let conflictingValues = Rule(
        "conflicting-values", .warning, "Somebody is named again with other values",
        "Nobody is sent to twice; the row that comes first counts, which need not be the right one.",
        campaign: """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{first_name}}" }
            """,
        wrong: ["audiences/loyalty.csv": "username,first_name\nalice,Alice\nalice,Alicia\n"],
        right: RuleExample.loyalty)
}

extension LoadedCampaign {
    /// A warning for each of a few people, at the row that does not count, and one for the rest.
    package func diagnostics(for conflicts: ValueConflicts) -> [Diagnostic] {
        let shown = conflicts.examples.map { example in
            finding(
                .conflictingValues, at: example.other,
                "\"\(audience: example.other.username.text)\" is named again with other values, which do not count.",
                help:
                    "The row that comes first counts, in the order of the files; delete the wrong one.",
                related: ("These values count.", example.first))
        }
        let left = conflicts.count - shown.count
        guard left > 0 else { return shown }
        let people = left == 1 ? "One more person is" : "\(Figures.count(left)) more people are"
        let rest = finding(
            .conflictingValues, at: place(of: "audience"), isPersonal: true,
            "\(people) named again with other values, which do not count.",
            help: "The row that comes first counts, in the order of the files.")
        return shown + [rest]
    }
}
