package import CampaignCore

extension Rule {
    static let unmatchedExclusion = Rule(
        "unmatched-exclusion", .warning, "An exclusion that matches nobody in the audience",
        """
        The list probably identifies people differently from the audience, such as by address \
        instead of by id. Everybody who opted out would then get the push.
        """,
        campaign:
            "audience: { usernames: [u-1, u-2], exclude: { files: [audiences/opted-out.txt] } }",
        wrong: ["audiences/opted-out.txt": "carol@example.com\n"],
        right: ["audiences/opted-out.txt": "u-2\n"])
}

extension LoadedCampaign {
    /// Exclusions that match nobody; `unmatched` maps an exclusion's number to its number of
    /// people.
    package func exclusions(
        _ unmatched: [Int: Int]
    ) -> [(exclusion: Exclusion, people: Int, diagnostic: Diagnostic)] {
        (people?.exclusions ?? []).compactMap { part in
            guard let count = unmatched[part.number] else { return nil }
            let subject: DiagnosticMessage =
                switch part.exclusion {
                case .file(let path): "\"\(path: path)\""
                case .usernames: "\"exclude.usernames\""
                case .run(let campaign): "\"\(campaign)\" under \"exclude.runs\""
                }
            // Exclusions in the config's `defaults` are left out, because they need not match
            // anybody in a particular audience.
            let isOwn = files.place(of: part.place).file == path
            let diagnostic = finding(
                .unmatchedExclusion, isOwn ? .warning : .hint, at: part.place,
                "\(subject) lists \(Figures.count(count, "person, who is not", "people, none of them")) in the audience.",
                help:
                    "It excludes nobody; check whether it identifies people in the same way as the audience, such as by id or by address."
            )
            return (part.exclusion, count, diagnostic)
        }
    }
}
