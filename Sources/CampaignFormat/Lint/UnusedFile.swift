extension Rule {
    static let unusedFile = Rule(
        "unused-file", .hint, "A list or a picture that no campaign uses",
        """
        A leftover file keeps people's names without a purpose, or shows that a campaign names another file by \
        mistake. The rule checks tables, lists, pictures, sounds and videos in folders from which a campaign \
        names another file, if a whole folder is checked and all of its campaigns can be read.
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
            "No campaign names this file.",
            help: "Delete it, or name it in a campaign; campaigns name other files in this folder.")
    }
}
