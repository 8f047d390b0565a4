/// The starter folder's files for git: ignored files, and the check before each commit.
enum RepositoryTemplates {
    /// Keeps the store from being committed.
    static let storeLine = ".hubsend/"

    static let hook = "hubsend-validate"

    /// Whether a `.gitignore` excludes the store, by git's rules.
    static func isStoreIgnored(by text: String) -> Bool {
        let forms = [storeLine, String(storeLine.dropLast())].flatMap { [$0, "/" + $0] }
        return text.split(whereSeparator: \.isNewline).map(String.init).contains(
            where: forms.contains)
    }

    static let ignored = """
        # The store and the reports contain personal data, and a plan can be sent only once.
        \(storeLine)
        *.plan
        *.plan.json

        """

    static func commitHook(_ folder: RepositoryPath) -> String {
        """
        # For pre-commit (https://pre-commit.com). Run `pre-commit install` once; from then on,
        # commits with broken campaigns are refused.
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
