extension Rule {
    static let duplicateName = Rule(
        "duplicate-name", .error, "Two files have the same campaign name",
        """
        hubsend identifies campaigns by name and does not send a finished campaign again: it would \
        mistake the second file for a campaign that was already sent.
        """,
        campaign: "campaign: spring-sale",
        wrong: ["copy-of-campaign.yaml": .text(another("spring-sale"))],
        right: ["summer.yaml": .text(another("summer-sale"))])

    private static func another(_ name: String) -> String {
        """
        campaign: \(name)
        kind: secure
        platforms: [apns]
        audience: { usernames: [bob] }
        payload: { text: Hello }

        """
    }
}

extension LoadedCampaign {
    package func duplicateName(with other: String) -> Diagnostic {
        files.finding(
            .duplicateName,
            at: places["campaign"]?.value ?? SourceRange(start: .start, end: .start),
            "The file \(file: other) has the same campaign name.",
            help:
                "Rename one of the campaigns: names must be unique in a store, or one campaign would be mistaken for the other."
        )
    }
}
