import CampaignCore

/// The path of the campaigns in a repository, for workflows and hooks.
///
/// It is used in shell commands, patterns and YAML, so only plain characters are allowed.
struct RepositoryPath: Equatable {
    /// The path from the top of the repository; `.` is the top itself.
    let text: String

    /// Returns nil for a path with a character that is special in a shell, a pattern or YAML.
    init?(_ text: String) {
        let scalars = text.unicodeScalars
        guard ShellWord.isPlain(text, besides: " ._-/"), scalars.first != "-",
            scalars.first != " ", scalars.last != " "
        else { return nil }
        self.text = text.isEmpty ? "." : text
    }

    var word: String { ShellWord.quoted(text) }

    /// A pattern for all files below the path, for the filters of GitHub and GitLab.
    var glob: String { text == "." ? "**" : text + "/**" }

    /// A regular expression for the campaign files below the path.
    var pattern: String {
        text == "."
            ? #"\.(ya?ml|csv|txt)$"# : "^" + text.replacingBytes(".", with: #"\."#) + "/"
    }
}
