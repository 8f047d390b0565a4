import CampaignCore

/// The path of the campaigns in a repository, as workflows and hooks name it.
///
/// It stands in shell commands, patterns and YAML, so it may have plain characters only.
struct RepositoryPath: Equatable {
    /// The path from the top of the repository; `.` is the top itself.
    let text: String

    /// - Parameter text: a path without `.` and `..`; empty: the top itself.
    /// - Returns: nil for a path with a character that means something to a shell, a pattern or YAML.
    init?(_ text: String) {
        let scalars = text.unicodeScalars
        guard ShellWord.isPlain(text, besides: " ._-/"), scalars.first != "-",
            scalars.first != " ", scalars.last != " "
        else { return nil }
        self.text = text.isEmpty ? "." : text
    }

    /// The path as a word for a shell.
    var word: String { ShellWord.quoted(text) }

    /// Matches all files beneath it, for the filters of GitHub and GitLab.
    var glob: String { text == "." ? "**" : text + "/**" }

    /// A regular expression that matches the files of campaigns beneath it.
    var pattern: String {
        text == "."
            ? #"\.(ya?ml|csv|txt)$"# : "^" + text.replacingBytes(".", with: #"\."#) + "/"
    }
}
