extension Rule {
    static let missingFile = Rule(
        "missing-file", .error, "A file that does not exist",
        """
        Paths are relative to the folder of the file that contains them. For an exclusion with \
        "allow_empty: true", the finding is a warning.
        """,
        wrong: "audience: { files: [audiences/loyalty.csv] }",
        right: RuleExample(
            "audience: { files: [audiences/loyalty.csv] }", with: RuleExample.loyalty))

    static let refusedFile = Rule(
        "refused-file", .error, "A file that a campaign must not use",
        """
        Files must be below the config's folder, so that the author of a campaign cannot send other files on the \
        machine. Hidden files, links that lead out of the folder, keys, configs, stores and reports are refused.
        """,
        wrong: "payload: { file: ../statement.txt }",
        right: RuleExample(
            "payload: { file: texts/statement.txt }",
            with: ["texts/statement.txt": "Your statement is ready.\n"]
        ))

    static let unreadableFile = Rule(
        "unreadable-file", .error, "A file that cannot be read",
        "The system denied access, the disk failed, or the file is a broken link.",
        wrong: RuleExample(
            "description: Spring sale",
            with: ["summer.yaml": .link("archive/summer.yaml")]),
        right: "description: Spring sale")

    static let staleFile = Rule(
        "stale-file", .error, "A file that is too old",
        """
        An old export lists people who have left and lacks people who have joined. "max_age" sets \
        how old a file may be.
        """,
        campaign: "audience: { files: [{ path: audiences/members.txt, max_age: 26h }] }",
        wrong: ["audiences/members.txt": .aged("alice\n", days: 3)],
        right: ["audiences/members.txt": "alice\n"])

    static let notText = Rule(
        "not-text", .error, "A file that is not text where text is required",
        "A secure campaign sends text, and audiences are lines of text; a spreadsheet or a picture is neither.",
        campaign: "payload: { file: texts/statement.txt }",
        wrong: [
            "texts/statement.txt": .bytes(
                [0x50, 0x4B, 0x03, 0x04, 0, 0xFF], meaning: "a Word document")
        ], right: ["texts/statement.txt": "Your statement is ready.\n"])

    static let mediaTypeMismatch = Rule(
        "media-type-mismatch", .warning, "A file's extension does not match its content",
        """
        hubsend determines the media type from the file's first bytes, not from its extension. Some devices \
        may not show a picture that was renamed instead of converted. Only the first bytes are checked.
        """,
        wrong: RuleExample(
            """
            kind: rich
            payload: { message: Look, type: img, file: images/logo.jpg }
            """, with: ["images/logo.jpg": .picture]),
        right: RuleExample(
            """
            kind: rich
            payload: { message: Look, type: img, file: images/logo.png }
            """, with: ["images/logo.png": .picture]))
}
