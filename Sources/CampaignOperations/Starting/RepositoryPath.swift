import CampaignCore

/// Where in a repository the campaigns are, as workflows and hooks name it.
///
/// It stands in shell commands, patterns and YAML, so that only a path of plain characters is one.
struct RepositoryPath: Equatable {
    /// From the top of the repository; `.` is the top itself.
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

    /// As a shell reads it.
    var word: String { ShellWord.quoted(text) }

    /// Matches all files beneath it, for the filters of GitHub and GitLab.
    var glob: String { text == "." ? "**" : text + "/**" }

    /// Matches what belongs to campaigns beneath it, as a regular expression.
    var pattern: String {
        text == "."
            ? #"\.(ya?ml|csv|txt)$"# : "^" + text.replacingBytes(".", with: #"\."#) + "/"
    }
}
