extension Rule {
    static let duplicateName = Rule(
        "duplicate-name", .error, "Two files have the same campaign name",
        """
        What is finished is not sent again, and the name is how hubsend knows it: the second file would be taken \
        for a campaign that was sent already.
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
            help: "Names are unique in a store, so one campaign would be taken for the other.")
    }
}
