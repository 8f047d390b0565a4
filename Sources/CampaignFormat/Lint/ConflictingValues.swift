package import CampaignCore

extension Rule {
    static let conflictingValues = Rule(
        "conflicting-values", .warning, "A person is listed twice with different values",
        "Each person gets one push, with the values of the first row, which may not be the right one.",
        campaign: """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{first_name}}" }
            """,
        wrong: ["audiences/loyalty.csv": "username,first_name\nalice,Alice\nalice,Alicia\n"],
        right: RuleExample.loyalty)
}

extension LoadedCampaign {
    /// Warns about the first few people one by one, at the row that is ignored, and about all
    /// others together.
    package func diagnostics(for conflicts: ValueConflicts) -> [Diagnostic] {
        let shown = conflicts.examples.map { example in
            finding(
                .conflictingValues, at: example.other,
                "\"\(audience: example.other.username.text)\" is listed again with different values, which are ignored.",
                help:
                    "The first row, in the order of the files, is used; delete the row that is wrong.",
                related: ("These values are used.", example.first))
        }
        let left = conflicts.count - shown.count
        guard left > 0 else { return shown }
        let people = left == 1 ? "One more person is" : "\(Figures.count(left)) more people are"
        let rest = finding(
            .conflictingValues, at: place(of: "audience"), isPersonal: true,
            "\(people) listed again with different values, which are ignored.",
            help: "The first row, in the order of the files, is used.")
        return shown + [rest]
    }
}
