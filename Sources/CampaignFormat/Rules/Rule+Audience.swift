extension Rule {
    static let invalidUsername = Rule(
        "invalid-username", .error, "A username that cannot be used in a hub tag",
        """
        People are addressed through the tag username:NAME; a name consists of 1 to 111 of the \
        characters A-Z a-z 0-9 _ @ # . : and -.
        """,
        wrong: "audience: { usernames: [al ice] }", right: "audience: { usernames: [alice] }")

    static let emptyAudience = Rule(
        "empty-audience", .error, "Nobody is left to send to",
        """
        An empty audience never means everybody: something is wrong with the list, or everybody in it is \
        excluded. If only one of several files is empty, the finding is a warning.
        """,
        wrong: "audience: { usernames: [alice], exclude: { usernames: [alice] } }",
        right: "audience: { usernames: [alice, bob], exclude: { usernames: [alice] } }")

    static let emptyExclusion = Rule(
        "empty-exclusion", .error, "An exclusion without any names",
        """
        The exclusion may be broken without anybody noticing. If the file may be empty, write "allow_empty: \
        true". The same applies to an "exclude" without any list.
        """,
        campaign: "audience: { usernames: [alice], exclude: { files: [audiences/opted-out.txt] } }",
        wrong: ["audiences/opted-out.txt": "\n"], right: ["audiences/opted-out.txt": "carol\n"])

    static let audienceSize = Rule(
        "audience-size", .error, "Fewer or more recipients than the campaign expects",
        "\"min_recipients\" catches an export that was cut short, and \"max_recipients\" catches a wrong list.",
        wrong: "audience: { usernames: [alice], min_recipients: 100 }",
        right: "audience: { usernames: [alice], min_recipients: 1 }")

    static let caseConflict = Rule(
        "case-conflict", .error, "Two usernames that differ only in case",
        "Names are compared exactly; two names that differ only in case probably belong to one person, and one of them is a typo.",
        wrong: "audience: { usernames: [alice, Alice] }",
        right: "audience: { usernames: [alice, bob] }")

    static let unknownColumn = Rule(
        "unknown-column", .error, "A key names a column that no audience file has",
        "The key would have no effect for anybody; its value is probably a typo.",
        wrong: RuleExample(
            "audience: { files: [audiences/loyalty.csv], language_column: language }",
            with: ["audiences/loyalty.csv": "username,lang\nalice,de\n"]),
        right: RuleExample(
            "audience: { files: [audiences/loyalty.csv], language_column: lang }",
            with: ["audiences/loyalty.csv": "username,lang\nalice,de\n"]))

    static let notChecked = Rule(
        "not-checked", .hint, "People who were not checked",
        """
        Exports are outside the repository, and the people of earlier runs are in the store; neither is \
        available everywhere. Both can contain errors, which preview and run find.
        """,
        wrong: "audience: { files: [\"export:loyalty.csv\"] }",
        right: RuleExample(
            "audience: { files: [audiences/members.txt] }",
            with: ["audiences/members.txt": "alice\n"]))

    static let encoding = Rule(
        "encoding", .error, "The file is not UTF-8",
        """
        If a file is read in the wrong encoding, names turn into other names, and pushes would \
        reach nobody or the wrong people. In Excel, choose "CSV UTF-8".
        """,
        campaign: "audience: { files: [audiences/loyalty.csv] }",
        wrong: [
            "audiences/loyalty.csv": .bytes(
                Array("username\njos".utf8) + [0xE9, 0x0A],
                meaning: "saved as Windows-1252")
        ], right: ["audiences/loyalty.csv": "username\nalice\n"])

    static let invalidCSV = Rule(
        "invalid-csv", .error, "A row that does not match its header",
        "A comma in an unquoted cell moves all later cells into the wrong columns.",
        campaign: "audience: { files: [audiences/loyalty.csv] }",
        wrong: ["audiences/loyalty.csv": "username,first_name\nalice,Liddell, Alice\n"],
        right: ["audiences/loyalty.csv": "username,first_name\nalice,\"Liddell, Alice\"\n"])

    static let csvHeader = Rule(
        "csv-header", .error, "A table without the column \"username\"",
        "The first line must name each column once; one of the columns must contain the usernames.",
        campaign: "audience: { files: [audiences/loyalty.csv] }",
        wrong: ["audiences/loyalty.csv": "name,city\nalice,Oxford\n"],
        right: ["audiences/loyalty.csv": "username,city\nalice,Oxford\n"])
}
