extension Rule {
    static let emptyFile = Rule(
        "empty-file", .error, "The file is empty",
        "A file that contains only comments was probably not saved completely, or is a template that nobody has filled in.",
        wrong: RuleExample("# Spring sale: to be written", isWhole: true),
        right: "description: Spring sale")

    static let unknownKey = Rule(
        "unknown-key", .error, "There is no such key",
        "If a misspelt key were ignored, the campaign would be sent without its value.",
        wrong: "delivery: { rat: 100/s }", right: "delivery: { rate: 100/s }")

    static let missingKey = Rule(
        "missing-key", .error, "A required key is missing",
        "hubsend never guesses who gets a campaign or what it sends.",
        wrong: RuleExample(
            """
            campaign: spring-sale
            kind: secure
            audience: { usernames: [alice] }
            payload: { text: Hello }
            """, isWhole: true),
        right: RuleExample(
            """
            campaign: spring-sale
            kind: secure
            platforms: [apns, fcm]
            audience: { usernames: [alice] }
            payload: { text: Hello }
            """, isWhole: true))

    static let wrongType = Rule(
        "wrong-type", .error, "A value of the wrong type",
        "Text where a list is expected, or a list where text is expected, has no meaning; the message shows the correct form.",
        wrong: "audience: { usernames: alice }", right: "audience: { usernames: [alice] }")

    static let emptyValue = Rule(
        "empty-value", .error, "A key without a value",
        "The value may have been forgotten, or a # may have turned it into a comment.",
        wrong: "description:", right: "description: Spring sale, loyalty members")

    static let indentation = Rule(
        "indentation", .error, "Lines with the wrong indentation",
        """
        The content of a key must be indented more than the key, and the items of a list must \
        start in the same column; otherwise, the lines mean something different in YAML.
        """,
        wrong: """
            delivery:
            rate: 100/s
            """,
        right: """
            delivery:
              rate: 100/s
            """)

    static let unknownValue = Rule(
        "unknown-value", .error, "A word that the key does not accept",
        "If hubsend replaced a misspelt value with the default, the campaign would not do what its author meant.",
        wrong: "kind: securee", right: "kind: secure")

    static let outOfRange = Rule(
        "out-of-range", .error, "A number out of range",
        "The number is probably a typo, or would have no effect.",
        wrong: "delivery: { concurrency: 5000 }", right: "delivery: { concurrency: 500 }")

    static let invalidDuration = Rule(
        "invalid-duration", .error, "Not a duration",
        "A duration is a whole number followed by s, m, h or d, so that no unit has to be guessed.",
        wrong: "delivery: { finish_within: 2 hours }", right: "delivery: { finish_within: 2h }")

    static let invalidTime = Rule(
        "invalid-time", .error,
        "Not a valid time, time zone or cron expression, or a start in the past",
        """
        With an invalid time, a campaign would never start. A start that is late by more than \
        "schedule.start_deadline" is skipped; this only produces a warning, because you may want to keep the file of \
        a campaign that was sent. The following also produce warnings: a cron expression whose minute is *, which \
        starts the campaign 60 times an hour; a time that is skipped when the clocks change; and zones without \
        summer time, such as EST and Etc/GMT-1.
        """,
        wrong: "schedule: { at: tomorrow at nine, time_zone: Europe/Berlin }",
        right: "schedule: { at: 2030-12-01T09:00, time_zone: Europe/Berlin }")

    static let conflictingKeys = Rule(
        "conflicting-keys", .error, "Two keys that exclude each other",
        "One of the keys would have to be ignored.",
        wrong: "audience: { usernames: [alice], min_recipients: 100, max_recipients: 10 }",
        right: "audience: { usernames: [alice], min_recipients: 1, max_recipients: 10 }")

    static let noEffect = Rule(
        "no-effect", .warning, "A key that has no effect here",
        "For example, people who get personal texts cannot share a push, so \"recipients_per_push\" would be ignored.",
        wrong: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{first_name}}" }
            delivery: { recipients_per_push: 20 }
            """, with: RuleExample.loyalty),
        right: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{first_name}}" }
            """, with: RuleExample.loyalty))

    static let overLimit = Rule(
        "over-limit", .error, "More than the config allows",
        """
        The "limits" in hubsend.yaml restrict all campaigns that use the config: how many people \
        they reach, how fast they send, and which kinds they can have. No campaign can exceed \
        them. The period of a "frequency_cap" must not exceed the time for which "retention" \
        keeps deliveries, because deleted deliveries cannot be counted.
        """,
        wrong: RuleExample(
            "delivery: { rate: 500/s }",
            with: ["hubsend.yaml": "limits: { rate: 100/s }\n"]),
        right: RuleExample(
            "delivery: { rate: 100/s }",
            with: ["hubsend.yaml": "limits: { rate: 100/s }\n"]))

    static let tooLarge = Rule(
        "too-large", .error, "Too large to be read",
        "Every file has a size limit, so that a wrong file cannot fill up the memory of the machine or of people's phones.",
        wrong: RuleExample(
            """
            kind: rich
            payload: { message: Look, type: img, file: images/poster.png }
            """, with: ["images/poster.png": .size(5_000_000)]),
        right: """
            kind: rich
            payload: { message: Look, type: img, url: "https://shop.example/poster.png" }
            """)

    static let tooManyFaults = Rule(
        "too-many-faults", .error, "More findings than are listed",
        "Hundreds of findings in one file usually have one cause, such as a wrong separator; the first few are enough to find it.",
        campaign: "audience: { files: [audiences/people.txt] }",
        wrong: ["audiences/people.txt": .lines("al ice", 150)],
        right: ["audiences/people.txt": "alice\nbob\n"])
}
