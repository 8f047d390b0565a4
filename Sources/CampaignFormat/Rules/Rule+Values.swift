extension Rule {
    static let emptyFile = Rule(
        "empty-file", .error, "The file says nothing",
        "A file of comments alone is most often half saved, or a template that nobody has filled in.",
        wrong: RuleExample("# Spring sale: to be written", isWhole: true),
        right: "description: Spring sale")

    static let unknownKey = Rule(
        "unknown-key", .error, "There is no such key",
        "A misspelt key would otherwise be passed over, and the campaign sent without what it says.",
        wrong: "delivery: { rat: 100/s }", right: "delivery: { rate: 100/s }")

    static let missingKey = Rule(
        "missing-key", .error, "A key is missing that has to be there",
        "Nothing about whom a campaign reaches, and with what, is guessed.",
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
        "wrong-type", .error, "A value of the wrong shape",
        "A text where a list is expected, or the other way round, has no meaning; the message shows the right form.",
        wrong: "audience: { usernames: alice }", right: "audience: { usernames: [alice] }")

    static let emptyValue = Rule(
        "empty-value", .error, "A key without a value",
        "A value may have been forgotten, or a # may have made a comment of it.",
        wrong: "description:", right: "description: Spring sale, loyalty members")

    static let indentation = Rule(
        "indentation", .error, "Lines that are not indented as they are meant",
        "What belongs to a key is indented deeper than the key, and the items of a list start in one column; otherwise YAML reads something else.",
        wrong: """
            delivery:
            rate: 100/s
            """,
        right: """
            delivery:
              rate: 100/s
            """)

    static let unknownValue = Rule(
        "unknown-value", .error, "A word that is none of those that a key takes",
        "A misspelt choice would otherwise become the default, and the campaign something else.",
        wrong: "kind: securee", right: "kind: secure")

    static let outOfRange = Rule(
        "out-of-range", .error, "A number beyond its bounds",
        "Beyond these bounds a number is a slip, or nothing could act on it.",
        wrong: "delivery: { concurrency: 5000 }", right: "delivery: { concurrency: 500 }")

    static let invalidDuration = Rule(
        "invalid-duration", .error, "Not a length of time",
        "A duration is a whole number with s, m, h or d, so that no unit has to be guessed.",
        wrong: "delivery: { finish_within: 2 hours }", right: "delivery: { finish_within: 2h }")

    static let invalidTime = Rule(
        "invalid-time", .error,
        "Not a time, a time zone or a cron expression, or a start that is over",
        """
        A time that is not understood would never come. A start that was missed by more than \
        "schedule.start_deadline" does not come any more: a warning, since a campaign that was sent may stay. \
        These are warnings too: a cron expression whose minute is *, which starts the campaign 60 times an hour; a \
        time that the clocks skip; and zones without summer time, such as EST and Etc/GMT-1.
        """,
        wrong: "schedule: { at: tomorrow at nine, time_zone: Europe/Berlin }",
        right: "schedule: { at: 2030-12-01T09:00, time_zone: Europe/Berlin }")

    static let conflictingKeys = Rule(
        "conflicting-keys", .error, "Two keys that cannot both be meant",
        "Whichever of them counted, the other would be passed over.",
        wrong: "audience: { usernames: [alice], min_recipients: 100, max_recipients: 10 }",
        right: "audience: { usernames: [alice], min_recipients: 1, max_recipients: 10 }")

    static let noEffect = Rule(
        "no-effect", .warning, "A key that has no effect here",
        "People who get texts of their own cannot share a push with others, whatever the file says.",
        wrong: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{first_name}}" }
            delivery: { recipients_per_push: 20 }
            """, beside: RuleExample.loyalty),
        right: RuleExample(
            """
            audience: { files: [audiences/loyalty.csv] }
            payload: { text: "Hi {{first_name}}" }
            """, beside: RuleExample.loyalty))

    static let overLimit = Rule(
        "over-limit", .error, "More than the config allows",
        """
        "limits" of hubsend.yaml bind all campaigns that the config is for: how many people, how fast, of which \
        kinds. No campaign can widen them. Nor can a cap count deliveries that "retention" has deleted.
        """,
        wrong: RuleExample(
            "delivery: { rate: 500/s }",
            beside: ["hubsend.yaml": "limits: { rate: 100/s }\n"]),
        right: RuleExample(
            "delivery: { rate: 100/s }",
            beside: ["hubsend.yaml": "limits: { rate: 100/s }\n"]))

    static let tooLarge = Rule(
        "too-large", .error, "Larger than what is read",
        "Every file has a bound, so that a wrong one fills neither memory nor the phones that it is sent to.",
        wrong: RuleExample(
            """
            kind: rich
            payload: { message: Look, type: img, file: images/poster.png }
            """, beside: ["images/poster.png": .size(5_000_000)]),
        right: """
            kind: rich
            payload: { message: Look, type: img, url: "https://shop.example/poster.png" }
            """)

    static let tooManyFaults = Rule(
        "too-many-faults", .error, "More faults than are listed",
        "Hundreds of faults of one file mostly have one cause, such as a wrong separator; the first few show it.",
        campaign: "audience: { files: [audiences/people.txt] }",
        wrong: ["audiences/people.txt": .lines("al ice", 150)],
        right: ["audiences/people.txt": "alice\nbob\n"])
}
