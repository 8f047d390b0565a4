extension Rule {
    static let unusedFile = Rule(
        "unused-file", .hint, "A list or a picture that no campaign uses",
        """
        A leftover file stores people's names without a purpose, or is a sign that a campaign uses another file by \
        mistake. The rule checks the tables, lists, pictures, sounds and videos in each folder that contains a file \
        which a campaign uses. It applies only if a whole folder is checked and all campaigns in it can be read.
        """,
        campaign: "audience: { files: [audiences/members.txt] }",
        wrong: [
            "audiences/members.txt": "alice\n",
            "audiences/members-2023.txt": "alice\nbob\n",
        ], right: ["audiences/members.txt": "alice\n"])
}

extension Diagnostic {
    package init(unusedFile path: String) {
        self.init(
            .unusedFile, in: path, at: TextRange(line: 1, column: 1),
            "No campaign uses this file.",
            help:
                "Delete the file, or use it in a campaign; campaigns use other files in this folder."
        )
    }
}
