extension Rule {
    static let unusedFile = Rule(
        "unused-file", .hint, "A list or a picture that no campaign names",
        """
        A file that is left over lies around with people's names in it, or shows that a campaign names another one \
        by mistake. Looked at are tables, lists, pictures, sounds and films in folders of which a campaign names \
        another file, where a folder is searched and all of its campaigns can be read.
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
            help: "Delete it, or name it; campaigns name other files of this folder.")
    }
}
