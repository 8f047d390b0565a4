extension RuleDescription {
    static let campaign: [RuleDescription] = [
        RuleDescription(
            .notACampaign, .error, "Another of hubsend's files is given as a campaign",
            why:
                "Config, devices and faults files and plans have commands and keys of their own that take them.",
            wrong: RuleExample("devices: [{ user: alice, platform: apns }]", isWhole: true),
            right: "description: Spring sale"),
        RuleDescription(
            .invalidName, .error, "A name that a campaign cannot have",
            why:
                "The name is part of paths and of what scripts look for, so it has 1 to 60 of a to z, 0 to 9 and the hyphen.",
            wrong: "campaign: Spring Sale 2026", right: "campaign: spring-sale-2026"),
        RuleDescription(
            .duplicateName, .error, "Two files have the same campaign name",
            why: """
                What is finished is not sent again, and the name is how hubsend knows it: the second file would be taken \
                for a campaign that was sent already.
                """,
            wrong: RuleExample(
                "campaign: spring-sale",
                beside: [RuleExample.Neighbour("copy-of-campaign.yaml", second("spring-sale"))]),
            right: RuleExample(
                "campaign: spring-sale",
                beside: [RuleExample.Neighbour("summer.yaml", second("summer-sale"))])),
        RuleDescription(
            .unsupportedPlatform, .error, "A platform that hubsend cannot send through",
            why: "The hub knows it, but hubsend does not know what a push looks like there.",
            wrong: "platforms: [apns, xiaomi]", right: "platforms: [apns, fcm]"),
        RuleDescription(
            .oldSpelling, .warning, "The old name of a platform",
            why: "Google has replaced gcm by fcm; the old word still means it.",
            wrong: "platforms: [gcm]", right: "platforms: [fcm]"),
        RuleDescription(
            .duplicateValue, .error, "A value is listed twice",
            why: "Nothing is sent twice, so one of the two was meant to be something else.",
            wrong: "platforms: [apns, apns]", right: "platforms: [apns, fcm]"),
        RuleDescription(
            .keyNotForKind, .error, "A key that this kind of campaign does not have",
            why: """
                A secure push holds an id and nothing else, an alert has nothing to fetch: a key of another kind shows \
                that the campaign was meant to be that kind.
                """,
            wrong: """
                kind: secure
                payload: { message: Your statement is ready, text: Hello }
                """,
            right: """
                kind: secure
                payload: { text: Your statement is ready }
                """),
        RuleDescription(
            .payloadContent, .error, "The payload has nothing to fetch, or two things",
            why: "A device fetches exactly one of file, text and url.",
            wrong: "payload: { expires_after: 1d }",
            right: "payload: { text: Hello, expires_after: 1d }"),
        RuleDescription(
            .payloadType, .warning, "The type says something else than the content is",
            why: """
                The app chooses by "type" how it shows a rich payload. Of its common words hubsend knows what they \
                promise: img, image, picture, photo, gif, sound, audio, video, pdf, html, json, text, url and link.
                """,
            wrong: """
                kind: rich
                payload: { message: Look, type: img, text: Hello }
                """,
            right: """
                kind: rich
                payload: { message: Look, type: text, text: Hello }
                """),
    ]

    private static func second(_ name: String) -> String {
        """
        campaign: \(name)
        kind: secure
        platforms: [apns]
        audience: { usernames: [bob] }
        payload: { text: Hello }

        """
    }
}
