/// The starter folder's files for git: what is not committed, and what is checked before each commit.
enum RepositoryTemplates {
    /// The line that keeps the store from being committed.
    static let storeLine = ".hubsend/"

    /// The name of the hook.
    static let hook = "hubsend-validate"

    /// Whether a `.gitignore` keeps the store out, as git reads its lines.
    static func isStoreIgnored(by text: String) -> Bool {
        let forms = [storeLine, String(storeLine.dropLast())].flatMap { [$0, "/" + $0] }
        return text.split(whereSeparator: \.isNewline).map(String.init).contains(
            where: forms.contains)
    }

    /// `.gitignore`.
    static let ignored = """
        # The store holds what was sent to whom, the reports name people, and plans are for one sending.
        \(storeLine)
        *.plan
        *.plan.json

        """

    /// `.pre-commit-config.yaml`.
    ///
    /// - Parameter folder: where in the repository the campaigns are.
    static func commitHook(_ folder: RepositoryPath) -> String {
        """
        # For pre-commit (https://pre-commit.com): `pre-commit install` once, and no commit has a broken campaign.
        repos:
          - repo: local
            hooks:
              - id: \(hook)
                name: hubsend validate
                entry: hubsend validate \(folder.word)
                language: system
                pass_filenames: false
                files: \(folder.pattern)

        """
    }
}
