extension RuleDescription {
    static let sending: [RuleDescription] = [
        RuleDescription(
            .invalidRate, .error, "Not a rate",
            why:
                "A rate is hub requests a second, such as 500/s, or \"unlimited\"; other units would have to be guessed.",
            wrong: "delivery: { rate: 30000/min }", right: "delivery: { rate: 500/s }"),
        RuleDescription(
            .tooSlow, .warning, "Sending takes longer than the campaign gives it",
            why: """
                Whoever's turn comes after "delivery.finish_within", or after the payload has expired, is skipped. The time \
                is computed from the recipients, the platforms and the rate; a hub that slows down takes longer.
                """,
            wrong: RuleExample(
                """
                audience: { files: [audiences/all.txt] }
                delivery: { rate: 1/s, finish_within: 1m }
                """, beside: [RuleExample.Neighbour("audiences/all.txt", .names(100))]),
            right: RuleExample(
                """
                audience: { files: [audiences/all.txt] }
                delivery: { rate: 10/s, finish_within: 1m }
                """, beside: [RuleExample.Neighbour("audiences/all.txt", .names(100))])),
        RuleDescription(
            .silentBudget, .warning, "More silent pushes than the system lets through",
            why: """
                iOS hands an app two or three silent pushes an hour and drops the others without a word, more so for apps \
                that are seldom opened. It is looked for in "frequency_cap" and "schedule.cron" of secure and rich \
                campaigns on apns; a payload with a placeholder is a visible push, which is not counted. A hint says when \
                several campaigns without a cap come to the same list or person within an hour.
                """,
            wrong: "delivery: { frequency_cap: { pushes: 10, per: 1h } }",
            right: "delivery: { frequency_cap: { pushes: 2, per: 1h } }"),
    ]
}
