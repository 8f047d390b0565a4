extension Rule {
    static let notACampaign = Rule(
        "not-a-campaign", .error, "A hubsend file of a different kind is used as a campaign",
        """
        Config files, devices files, faults files and plans have other keys, and are passed with other options.
        """,
        wrong: RuleExample("devices: [{ user: alice, platform: apns }]", isWhole: true),
        right: "description: Spring sale")

    static let invalidName = Rule(
        "invalid-name", .error, "A name that a campaign cannot have",
        "The name appears in paths and scripts, so it consists of 1 to 60 of the characters a to z, 0 to 9 and -.",
        wrong: "campaign: Spring Sale 2026", right: "campaign: spring-sale-2026")

    static let unsupportedPlatform = Rule(
        "unsupported-platform", .error, "A platform that hubsend does not support",
        "The hub supports the platform, but hubsend does not know the format of its pushes.",
        wrong: "platforms: [apns, xiaomi]", right: "platforms: [apns, fcm]")

    static let oldSpelling = Rule(
        "old-spelling", .warning, "The old name of a platform",
        "Google has replaced gcm with fcm; the old name still works.",
        wrong: "platforms: [gcm]", right: "platforms: [fcm]")

    static let duplicateValue = Rule(
        "duplicate-value", .error, "A value is listed twice",
        "Nothing is sent twice, so one of the two values is probably a mistake.",
        wrong: "platforms: [apns, apns]", right: "platforms: [apns, fcm]")

    static let keyNotForKind = Rule(
        "key-not-for-kind", .error, "A key that this kind of campaign does not have",
        """
        A secure push contains only an id, and an alert has nothing to fetch. A key that belongs \
        to another kind suggests that the campaign has the wrong kind.
        """,
        wrong: """
            kind: secure
            payload: { message: Your statement is ready, text: Hello }
            """,
        right: """
            kind: secure
            payload: { text: Your statement is ready }
            """)

    static let payloadContent = Rule(
        "payload-content", .error, "The payload has nothing to fetch, or more than one thing",
        "A device fetches exactly one of file, text and url.",
        wrong: "payload: { expires_after: 1d }",
        right: "payload: { text: Hello, expires_after: 1d }")

    static let invalidRate = Rule(
        "invalid-rate", .error, "Not a rate",
        "A rate is a number of hub requests a second, such as 500/s, or \"unlimited\"; hubsend does not guess other units.",
        wrong: "delivery: { rate: 30000/min }", right: "delivery: { rate: 500/s }")
}
