extension RuleDescription {
    static let audienceFiles: [RuleDescription] = [
        RuleDescription(
            .encoding, .error, "The file is not UTF-8",
            why: """
                Read in another encoding, names become other names: pushes would reach nobody, or somebody else. Excel \
                offers "CSV UTF-8".
                """,
            wrong: RuleExample(
                "audience: { files: [audiences/loyalty.csv] }",
                beside: [
                    RuleExample.Neighbour(
                        "audiences/loyalty.csv",
                        .bytes(
                            Array("username\njos".utf8) + [0xE9, 0x0A],
                            meaning: "saved as Windows-1252"))
                ]),
            right: RuleExample(
                "audience: { files: [audiences/loyalty.csv] }",
                beside: [RuleExample.Neighbour("audiences/loyalty.csv", "username\nalice\n")])),
        RuleDescription(
            .invalidCSV, .error, "A row that does not fit its table",
            why:
                "A comma without quotes around its cell moves all cells behind it into the wrong columns.",
            wrong: RuleExample(
                "audience: { files: [audiences/loyalty.csv] }",
                beside: [
                    RuleExample.Neighbour(
                        "audiences/loyalty.csv", "username,first_name\nalice,Liddell, Alice\n")
                ]),
            right: RuleExample(
                "audience: { files: [audiences/loyalty.csv] }",
                beside: [
                    RuleExample.Neighbour(
                        "audiences/loyalty.csv", "username,first_name\nalice,\"Liddell, Alice\"\n")
                ])),
        RuleDescription(
            .csvHeader, .error, "A table without the column \"username\"",
            why: "The first line names the columns, each once; one of them says who is meant.",
            wrong: RuleExample(
                "audience: { files: [audiences/loyalty.csv] }",
                beside: [
                    RuleExample.Neighbour("audiences/loyalty.csv", "name,city\nalice,Oxford\n")
                ]),
            right: RuleExample(
                "audience: { files: [audiences/loyalty.csv] }",
                beside: [
                    RuleExample.Neighbour("audiences/loyalty.csv", "username,city\nalice,Oxford\n")
                ])),
        RuleDescription(
            .missingValueWord, .warning, "Cells with a word that means nothing",
            why: """
                Databases write NULL for a missing value, programs None or nan, and spreadsheets #N/A. Spreadsheets also \
                round long numbers to 1.23E+11 and make dates such as 1-Feb, and other tools leave merge fields such as \
                *|FNAME|*. People would read that as it stands. An empty cell gets the default of its text. NA is no \
                finding where most values are two capitals: there it is Namibia.
                """,
            wrong: RuleExample(
                """
                audience: { files: [audiences/loyalty.csv] }
                payload: { text: "Hi {{first_name|there}}" }
                """,
                beside: [
                    RuleExample.Neighbour(
                        "audiences/loyalty.csv", "username,first_name\nalice,Alice\nbob,NULL\n")
                ]),
            right: RuleExample(
                """
                audience: { files: [audiences/loyalty.csv] }
                payload: { text: "Hi {{first_name|there}}" }
                """,
                beside: [
                    RuleExample.Neighbour(
                        "audiences/loyalty.csv", "username,first_name\nalice,Alice\nbob,\n")
                ])),
        RuleDescription(
            .unusedColumn, .hint, "A column that nothing uses",
            why: """
                What is known of people and used for nothing should not be copied around; or a text was meant to use it. \
                Columns count as used where a text names them, or a key such as time_zone_column.
                """,
            wrong: RuleExample(
                """
                audience: { files: [audiences/loyalty.csv] }
                payload: { text: "Hi {{first_name}}" }
                """,
                beside: [
                    RuleExample.Neighbour(
                        "audiences/loyalty.csv",
                        "username,first_name,birthday\nalice,Alice,1852-05-04\n")
                ]),
            right: RuleExample(
                """
                audience: { files: [audiences/loyalty.csv] }
                payload: { text: "Hi {{first_name}}" }
                """, beside: [loyalty])),
    ]
}
