extension RuleDescription {
    static let files: [RuleDescription] = [
        RuleDescription(
            .missingFile, .error, "A file that is not there",
            why: """
                Paths are relative to the folder of the file that names them. Of an exclusion that may be missing \
                ("allow_empty: true") it is a warning.
                """,
            wrong: "audience: { files: [audiences/loyalty.csv] }",
            right: RuleExample(
                "audience: { files: [audiences/loyalty.csv] }", beside: [loyalty])),
        RuleDescription(
            .refusedFile, .error, "A file that a campaign may not name",
            why: """
                Files lie beneath the folder of the config, so that nobody who writes a campaign can send what else is on \
                the machine: nothing hidden, nothing through links that lead out, no key, config, store or report.
                """,
            wrong: "payload: { file: ../statement.txt }",
            right: RuleExample(
                "payload: { file: texts/statement.txt }",
                beside: [RuleExample.Neighbour("texts/statement.txt", "Your statement is ready.\n")]
            )),
        RuleDescription(
            .unreadableFile, .error, "A file that cannot be read",
            why: "The system refuses it, or the disk fails; or it is a link that leads to nothing.",
            wrong: RuleExample(
                "description: Spring sale",
                beside: [RuleExample.Neighbour("summer.yaml", .link("archive/summer.yaml"))]),
            right: "description: Spring sale"),
        RuleDescription(
            .staleFile, .error, "A file that is older than it may be",
            why: """
                An export that was not made today names people who have left, and leaves out those who have come. \
                "max_age" says how old a file may be.
                """,
            wrong: RuleExample(
                "audience: { files: [{ path: audiences/members.txt, max_age: 26h }] }",
                beside: [RuleExample.Neighbour("audiences/members.txt", .aged("alice\n", days: 3))]),
            right: RuleExample(
                "audience: { files: [{ path: audiences/members.txt, max_age: 26h }] }",
                beside: [RuleExample.Neighbour("audiences/members.txt", "alice\n")])),
        RuleDescription(
            .notText, .error, "A file that is not text where text is needed",
            why:
                "A secure campaign sends text, and audiences are lines of text; a spreadsheet or a picture is neither.",
            wrong: RuleExample(
                "payload: { file: texts/statement.txt }",
                beside: [
                    RuleExample.Neighbour(
                        "texts/statement.txt",
                        .bytes([0x50, 0x4B, 0x03, 0x04, 0, 0xFF], meaning: "a document of Word"))
                ]),
            right: RuleExample(
                "payload: { file: texts/statement.txt }",
                beside: [RuleExample.Neighbour("texts/statement.txt", "Your statement is ready.\n")]
            )),
        RuleDescription(
            .mediaTypeMismatch, .warning, "A file's name does not say what it is",
            why: """
                Devices are told what a file's first bytes say it is, not its name; a picture that was renamed instead of \
                converted may not be shown by all of them. Only the first bytes are looked at.
                """,
            wrong: RuleExample(
                """
                kind: rich
                payload: { message: Look, type: img, file: images/logo.jpg }
                """, beside: [RuleExample.Neighbour("images/logo.jpg", picture)]),
            right: RuleExample(
                """
                kind: rich
                payload: { message: Look, type: img, file: images/logo.png }
                """, beside: [RuleExample.Neighbour("images/logo.png", picture)])),
        RuleDescription(
            .svgImage, .error, "An SVG drawing as payload",
            why: """
                SVG can hold scripts and load what lies elsewhere, and phones have no viewer of their own for it: an app \
                that shows it in a web view would run what is in it.
                """,
            wrong: RuleExample(
                """
                kind: rich
                payload: { message: Look, type: img, file: images/logo.svg }
                """,
                beside: [
                    RuleExample.Neighbour(
                        "images/logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n")
                ]),
            right: RuleExample(
                """
                kind: rich
                payload: { message: Look, type: img, file: images/logo.png }
                """, beside: [RuleExample.Neighbour("images/logo.png", picture)])),
        RuleDescription(
            .unusedFile, .hint, "A list or a picture that no campaign names",
            why: """
                A file that is left over lies around with people's names in it, or shows that a campaign names another one \
                by mistake. Looked at are tables, lists, pictures, sounds and films in folders of which a campaign names \
                another file, where a folder is searched and all of its campaigns can be read.
                """,
            wrong: RuleExample(
                "audience: { files: [audiences/members.txt] }",
                beside: [
                    RuleExample.Neighbour("audiences/members.txt", "alice\n"),
                    RuleExample.Neighbour("audiences/members-2023.txt", "alice\nbob\n"),
                ]),
            right: RuleExample(
                "audience: { files: [audiences/members.txt] }",
                beside: [RuleExample.Neighbour("audiences/members.txt", "alice\n")])),
    ]

    /// The signature of a PNG file.
    private static let picture = RuleExample.Neighbour.Content.bytes(
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], meaning: "a PNG picture")
}
