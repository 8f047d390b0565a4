extension Rule {
    static let missingFile = Rule(
        "missing-file", .error, "A file that is not there",
        """
        Paths are relative to the folder of the file that names them. Of an exclusion that may be missing \
        ("allow_empty: true") it is a warning.
        """,
        wrong: "audience: { files: [audiences/loyalty.csv] }",
        right: RuleExample(
            "audience: { files: [audiences/loyalty.csv] }", beside: RuleExample.loyalty))

    static let refusedFile = Rule(
        "refused-file", .error, "A file that a campaign may not name",
        """
        Files lie beneath the folder of the config, so that nobody who writes a campaign can send what else is on \
        the machine: nothing hidden, nothing through links that lead out, no key, config, store or report.
        """,
        wrong: "payload: { file: ../statement.txt }",
        right: RuleExample(
            "payload: { file: texts/statement.txt }",
            beside: ["texts/statement.txt": "Your statement is ready.\n"]
        ))

    static let unreadableFile = Rule(
        "unreadable-file", .error, "A file that cannot be read",
        "The system refuses it, or the disk fails; or it is a link that leads to nothing.",
        wrong: RuleExample(
            "description: Spring sale",
            beside: ["summer.yaml": .link("archive/summer.yaml")]),
        right: "description: Spring sale")

    static let staleFile = Rule(
        "stale-file", .error, "A file that is older than it may be",
        """
        An export that was not made today names people who have left, and leaves out those who have come. \
        "max_age" says how old a file may be.
        """,
        campaign: "audience: { files: [{ path: audiences/members.txt, max_age: 26h }] }",
        wrong: ["audiences/members.txt": .aged("alice\n", days: 3)],
        right: ["audiences/members.txt": "alice\n"])

    static let notText = Rule(
        "not-text", .error, "A file that is not text where text is needed",
        "A secure campaign sends text, and audiences are lines of text; a spreadsheet or a picture is neither.",
        campaign: "payload: { file: texts/statement.txt }",
        wrong: [
            "texts/statement.txt": .bytes(
                [0x50, 0x4B, 0x03, 0x04, 0, 0xFF], meaning: "a document of Word")
        ], right: ["texts/statement.txt": "Your statement is ready.\n"])

    static let mediaTypeMismatch = Rule(
        "media-type-mismatch", .warning, "A file's name does not say what it is",
        """
        Devices are told what a file's first bytes say it is, not its name; a picture that was renamed instead of \
        converted may not be shown by all of them. Only the first bytes are looked at.
        """,
        wrong: RuleExample(
            """
            kind: rich
            payload: { message: Look, type: img, file: images/logo.jpg }
            """, beside: ["images/logo.jpg": .picture]),
        right: RuleExample(
            """
            kind: rich
            payload: { message: Look, type: img, file: images/logo.png }
            """, beside: ["images/logo.png": .picture]))
}
