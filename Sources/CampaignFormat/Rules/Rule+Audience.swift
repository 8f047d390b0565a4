extension Rule {
    static let invalidUsername = Rule(
        "invalid-username", .error, "A username that no hub tag can have",
        "People are addressed by the tag username:NAME; names have 1 to 111 of A-Z a-z 0-9 _ @ # . : and the hyphen.",
        wrong: "audience: { usernames: [al ice] }", right: "audience: { usernames: [alice] }")

    static let emptyAudience = Rule(
        "empty-audience", .error, "Nobody is left to send to",
        """
        An empty audience is never a broadcast: something is wrong with the list, or everybody in it is excluded. \
        One file among others that names nobody is a warning.
        """,
        wrong: "audience: { usernames: [alice], exclude: { usernames: [alice] } }",
        right: "audience: { usernames: [alice, bob], exclude: { usernames: [alice] } }")

    static let emptyExclusion = Rule(
        "empty-exclusion", .error, "An exclusion that names nobody",
        """
        What should keep people out may be broken, and nobody would notice. If the file may be empty, \
        "allow_empty: true" says so. The same holds for an "exclude" without any list.
        """,
        campaign: "audience: { usernames: [alice], exclude: { files: [audiences/opted-out.txt] } }",
        wrong: ["audiences/opted-out.txt": "\n"], right: ["audiences/opted-out.txt": "carol\n"])

    static let audienceSize = Rule(
        "audience-size", .error, "Fewer or more recipients than the campaign expects",
        "\"min_recipients\" tells of an export that was cut short, \"max_recipients\" of the wrong list.",
        wrong: "audience: { usernames: [alice], min_recipients: 100 }",
        right: "audience: { usernames: [alice], min_recipients: 1 }")

    static let caseConflict = Rule(
        "case-conflict", .error, "Two usernames that differ only in case",
        "Names are compared exactly; two that differ only in case are one person and a slip.",
        wrong: "audience: { usernames: [alice, Alice] }",
        right: "audience: { usernames: [alice, bob] }")

    static let unknownColumn = Rule(
        "unknown-column", .error, "No audience file has a column that a key names",
        "The key would have no effect for anybody, which is hardly why it is there.",
        wrong: RuleExample(
            "audience: { files: [audiences/loyalty.csv], language_column: language }",
            beside: ["audiences/loyalty.csv": "username,lang\nalice,de\n"]),
        right: RuleExample(
            "audience: { files: [audiences/loyalty.csv], language_column: lang }",
            beside: ["audiences/loyalty.csv": "username,lang\nalice,de\n"]))

    static let notChecked = Rule(
        "not-checked", .hint, "People whom this check did not look at",
        """
        Exports lie outside of the repository, and the people of earlier runs in the store; neither is at hand \
        everywhere. What was not looked at may have faults, which preview and run find.
        """,
        wrong: "audience: { files: [\"export:loyalty.csv\"] }",
        right: RuleExample(
            "audience: { files: [audiences/members.txt] }",
            beside: ["audiences/members.txt": "alice\n"]))

    static let encoding = Rule(
        "encoding", .error, "The file is not UTF-8",
        """
        Read in another encoding, names become other names: pushes would reach nobody, or somebody else. Excel \
        offers "CSV UTF-8".
        """,
        campaign: "audience: { files: [audiences/loyalty.csv] }",
        wrong: [
            "audiences/loyalty.csv": .bytes(
                Array("username\njos".utf8) + [0xE9, 0x0A],
                meaning: "saved as Windows-1252")
        ], right: ["audiences/loyalty.csv": "username\nalice\n"])

    static let invalidCSV = Rule(
        "invalid-csv", .error, "A row that does not fit its table",
        "A comma without quotes around its cell moves all cells behind it into the wrong columns.",
        campaign: "audience: { files: [audiences/loyalty.csv] }",
        wrong: ["audiences/loyalty.csv": "username,first_name\nalice,Liddell, Alice\n"],
        right: ["audiences/loyalty.csv": "username,first_name\nalice,\"Liddell, Alice\"\n"])

    static let csvHeader = Rule(
        "csv-header", .error, "A table without the column \"username\"",
        "The first line names the columns, each once; one of them says who is meant.",
        campaign: "audience: { files: [audiences/loyalty.csv] }",
        wrong: ["audiences/loyalty.csv": "name,city\nalice,Oxford\n"],
        right: ["audiences/loyalty.csv": "username,city\nalice,Oxford\n"])
}
