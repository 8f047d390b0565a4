extension RuleDescription {
    static let audience: [RuleDescription] = [
        RuleDescription(
            .invalidUsername, .error, "A username that no hub tag can have",
            why:
                "People are addressed by the tag username:NAME; names have 1 to 111 of A-Z a-z 0-9 _ @ # . : and the hyphen.",
            wrong: "audience: { usernames: [al ice] }", right: "audience: { usernames: [alice] }"),
        RuleDescription(
            .emptyAudience, .error, "Nobody is left to send to",
            why: """
                An empty audience is never a broadcast: something is wrong with the list, or everybody in it is excluded. \
                One file among others that names nobody is a warning.
                """,
            wrong: "audience: { usernames: [alice], exclude: { usernames: [alice] } }",
            right: "audience: { usernames: [alice, bob], exclude: { usernames: [alice] } }"),
        RuleDescription(
            .emptyExclusion, .error, "An exclusion that names nobody",
            why: """
                What should keep people out may be broken, and nobody would notice. If the file may be empty, \
                "allow_empty: true" says so. The same holds for an "exclude" without any list.
                """,
            wrong: RuleExample(
                "audience: { usernames: [alice], exclude: { files: [audiences/opted-out.txt] } }",
                beside: [RuleExample.Neighbour("audiences/opted-out.txt", "\n")]),
            right: RuleExample(
                "audience: { usernames: [alice], exclude: { files: [audiences/opted-out.txt] } }",
                beside: [RuleExample.Neighbour("audiences/opted-out.txt", "carol\n")])),
        RuleDescription(
            .unmatchedExclusion, .warning, "An exclusion that leaves out nobody of the audience",
            why: """
                The list probably names people in another way than the audience, such as by address and not by id. Then \
                everybody who opted out is sent to.
                """,
            wrong: RuleExample(
                "audience: { usernames: [u-1, u-2], exclude: { files: [audiences/opted-out.txt] } }",
                beside: [
                    RuleExample.Neighbour("audiences/opted-out.txt", "carol@example.com\n")
                ]),
            right: RuleExample(
                "audience: { usernames: [u-1, u-2], exclude: { files: [audiences/opted-out.txt] } }",
                beside: [RuleExample.Neighbour("audiences/opted-out.txt", "u-2\n")])),
        RuleDescription(
            .audienceSize, .error, "Fewer or more recipients than the campaign expects",
            why:
                "\"min_recipients\" tells of an export that was cut short, \"max_recipients\" of the wrong list.",
            wrong: "audience: { usernames: [alice], min_recipients: 100 }",
            right: "audience: { usernames: [alice], min_recipients: 1 }"),
        RuleDescription(
            .caseConflict, .error, "Two usernames that differ only in case",
            why:
                "Names are compared exactly; two that differ only in case are one person and a slip.",
            wrong: "audience: { usernames: [alice, Alice] }",
            right: "audience: { usernames: [alice, bob] }"),
        RuleDescription(
            .conflictingValues, .warning, "Somebody is named again with other values",
            why:
                "Nobody is sent to twice; the row that comes first counts, which need not be the right one.",
            wrong: RuleExample(
                """
                audience: { files: [audiences/loyalty.csv] }
                payload: { text: "Hi {{first_name}}" }
                """,
                beside: [
                    RuleExample.Neighbour(
                        "audiences/loyalty.csv", "username,first_name\nalice,Alice\nalice,Alicia\n")
                ]),
            right: RuleExample(
                """
                audience: { files: [audiences/loyalty.csv] }
                payload: { text: "Hi {{first_name}}" }
                """, beside: [loyalty])),
        RuleDescription(
            .unknownColumn, .error, "No audience file has a column that a key names",
            why: "The key would have no effect for anybody, which is hardly why it is there.",
            wrong: RuleExample(
                "audience: { files: [audiences/loyalty.csv], language_column: language }",
                beside: [
                    RuleExample.Neighbour("audiences/loyalty.csv", "username,lang\nalice,de\n")
                ]),
            right: RuleExample(
                "audience: { files: [audiences/loyalty.csv], language_column: lang }",
                beside: [
                    RuleExample.Neighbour("audiences/loyalty.csv", "username,lang\nalice,de\n")
                ])),
        RuleDescription(
            .notChecked, .hint, "People whom this check did not look at",
            why: """
                Exports lie outside of the repository, and the people of earlier runs in the store; neither is at hand \
                everywhere. What was not looked at may have faults, which preview and run find.
                """,
            wrong: "audience: { files: [\"export:loyalty.csv\"] }",
            right: RuleExample(
                "audience: { files: [audiences/members.txt] }",
                beside: [RuleExample.Neighbour("audiences/members.txt", "alice\n")])),
        RuleDescription(
            .personalUsername, .hint,
            "A username that is an e-mail address or a phone number, in a public place",
            why: """
                A campaign file and the audience files beside it are public places: they are kept in a repository, and shown \
                in reviews and in build logs. Exports, outside of the repository, and variables are none. An id of your own \
                tells strangers nothing.
                """,
            wrong: "audience: { usernames: [anna.schmidt@mail.example.com] }",
            right: "audience: { usernames: [customer-4711] }"),
    ]
}
