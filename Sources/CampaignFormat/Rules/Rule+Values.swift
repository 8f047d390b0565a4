extension RuleDescription {
    static let values: [RuleDescription] = [
        RuleDescription(
            .emptyFile, .error, "The file says nothing",
            why:
                "A file of comments alone is most often half saved, or a template that nobody has filled in.",
            wrong: RuleExample("# Spring sale: to be written", isWhole: true),
            right: "description: Spring sale"),
        RuleDescription(
            .unknownKey, .error, "There is no such key",
            why:
                "A misspelt key would otherwise be passed over, and the campaign sent without what it says.",
            wrong: "delivery: { rat: 100/s }", right: "delivery: { rate: 100/s }"),
        RuleDescription(
            .missingKey, .error, "A key is missing that has to be there",
            why: "Nothing about whom a campaign reaches, and with what, is guessed.",
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
                """, isWhole: true)),
        RuleDescription(
            .wrongType, .error, "A value of the wrong shape",
            why:
                "A text where a list is expected, or the other way round, has no meaning; the message shows the right form.",
            wrong: "audience: { usernames: alice }", right: "audience: { usernames: [alice] }"),
        RuleDescription(
            .emptyValue, .error, "A key without a value",
            why: "A value may have been forgotten, or a # may have made a comment of it.",
            wrong: "description:", right: "description: Spring sale, loyalty members"),
        RuleDescription(
            .indentation, .error, "Lines that are not indented as they are meant",
            why:
                "What belongs to a key is indented deeper than the key, and the items of a list start in one column; otherwise YAML reads something else.",
            wrong: """
                delivery:
                rate: 100/s
                """,
            right: """
                delivery:
                  rate: 100/s
                """),
        RuleDescription(
            .unknownValue, .error, "A word that is none of those that a key takes",
            why:
                "A misspelt choice would otherwise become the default, and the campaign something else.",
            wrong: "kind: securee", right: "kind: secure"),
        RuleDescription(
            .outOfRange, .error, "A number beyond its bounds",
            why: "Beyond these bounds a number is a slip, or nothing could act on it.",
            wrong: "delivery: { concurrency: 5000 }", right: "delivery: { concurrency: 500 }"),
        RuleDescription(
            .invalidDuration, .error, "Not a length of time",
            why:
                "A duration is a whole number with s, m, h or d, so that no unit has to be guessed.",
            wrong: "delivery: { finish_within: 2 hours }", right: "delivery: { finish_within: 2h }"),
        RuleDescription(
            .invalidTime, .error,
            "Not a time, a time zone or a cron expression, or a start that is over",
            why: """
                A time that is not understood would never come. A start that was missed by more than \
                "schedule.start_deadline" does not come any more: a warning, since a campaign that was sent may stay. \
                These are warnings too: a cron expression whose minute is *, which starts the campaign 60 times an hour; a \
                time that the clocks skip; and zones without summer time, such as EST and Etc/GMT-1.
                """,
            wrong: "schedule: { at: tomorrow at nine, time_zone: Europe/Berlin }",
            right: "schedule: { at: 2030-12-01T09:00, time_zone: Europe/Berlin }"),
        RuleDescription(
            .conflictingKeys, .error, "Two keys that cannot both be meant",
            why: "Whichever of them counted, the other would be passed over.",
            wrong: "audience: { usernames: [alice], min_recipients: 100, max_recipients: 10 }",
            right: "audience: { usernames: [alice], min_recipients: 1, max_recipients: 10 }"),
        RuleDescription(
            .noEffect, .warning, "A key that has no effect here",
            why:
                "People who get texts of their own cannot share a push with others, whatever the file says.",
            wrong: RuleExample(
                """
                audience: { files: [audiences/loyalty.csv] }
                payload: { text: "Hi {{first_name}}" }
                delivery: { recipients_per_push: 20 }
                """, beside: [loyalty]),
            right: RuleExample(
                """
                audience: { files: [audiences/loyalty.csv] }
                payload: { text: "Hi {{first_name}}" }
                """, beside: [loyalty])),
        RuleDescription(
            .overLimit, .error, "More than the config allows",
            why: """
                "limits" of hubsend.yaml bind all campaigns that the config is for: how many people, how fast, of which \
                kinds. No campaign can widen them. Nor can a cap count deliveries that "retention" has deleted.
                """,
            wrong: RuleExample(
                "delivery: { rate: 500/s }",
                beside: [RuleExample.Neighbour("hubsend.yaml", "limits: { rate: 100/s }\n")]),
            right: RuleExample(
                "delivery: { rate: 100/s }",
                beside: [RuleExample.Neighbour("hubsend.yaml", "limits: { rate: 100/s }\n")])),
        RuleDescription(
            .tooLarge, .error, "Larger than what is read",
            why:
                "Every file has a bound, so that a wrong one fills neither memory nor the phones that it is sent to.",
            wrong: RuleExample(
                """
                kind: rich
                payload: { message: Look, type: img, file: images/poster.png }
                """, beside: [RuleExample.Neighbour("images/poster.png", .size(5_000_000))]),
            right: """
                kind: rich
                payload: { message: Look, type: img, url: "https://shop.example/poster.png" }
                """),
        RuleDescription(
            .tooManyFaults, .error, "More faults than are listed",
            why:
                "Hundreds of faults of one file mostly have one cause, such as a wrong separator; the first few show it.",
            wrong: RuleExample(
                "audience: { files: [audiences/people.txt] }",
                beside: [RuleExample.Neighbour("audiences/people.txt", .lines("al ice", 150))]),
            right: RuleExample(
                "audience: { files: [audiences/people.txt] }",
                beside: [RuleExample.Neighbour("audiences/people.txt", "alice\nbob\n")])),
        RuleDescription(
            .invalidIgnore, .warning, "A comment that cannot switch a rule off",
            why: """
                A comment "hubsend:ignore" of a campaign or a config names a rule and says why it does not hold in this \
                line. It counts for its own line or, alone in a line, for the next one. Errors cannot be switched off.
                """,
            wrong: "audience: { usernames: [team@example.com] } # hubsend:ignore personal-username",
            right: """
                # hubsend:ignore personal-username The public address of our own team.
                audience: { usernames: [team@example.com] }
                """),
        RuleDescription(
            .uselessIgnore, .warning, "A comment that switches nothing off",
            why:
                "The finding was fixed or has moved. If the comment stays, it hides the next finding, and nobody notices.",
            wrong: """
                # hubsend:ignore personal-username The public address of our own team.
                audience: { usernames: [alice] }
                """,
            right: "audience: { usernames: [alice] }"),
        RuleDescription(
            .secretInFile, .warning, "A key, a token or a password in a campaign file",
            why: """
                Campaigns are kept in a repository: whoever has it, or an old copy of it, has the secret, and what stands \
                in a payload goes to phones. Secrets come from the environment; hubsend(1) says how.
                """,
            wrong: """
                description: "SharedAccessKeyName=send;SharedAccessKey=Zm9yIGV4YW1wbGUgb25seSwgbm90IGEga2V5"
                """,
            right: "description: Sent through the hub of the shop"),
    ]

    static let loyalty = RuleExample.Neighbour(
        "audiences/loyalty.csv", "username,first_name\nalice,Alice\n")
}
