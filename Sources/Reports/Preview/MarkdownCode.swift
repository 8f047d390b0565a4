import CampaignCore

/// Text out of files as code in GitHub's and GitLab's Markdown, where nothing in it means anything (CommonMark, sections 4.5 and 6.1).
enum MarkdownCode {
    private static let shortestFence = 3

    /// A text within a line, such as `` `a text` ``; words in its place where it is empty.
    ///
    /// - Parameter text: on one line, without what cannot be seen.
    static func span(_ text: String) -> String {
        guard text.contains(where: { $0 != " " }) else {
            return text.isEmpty ? "(empty)" : "(blank)"
        }
        let ticks = String(repeating: "`", count: longestRun(in: text) + 1)
        // One space on either side is taken away again, so that a text may begin or end with a backtick or a space.
        let ends = [text.unicodeScalars.first, text.unicodeScalars.last]
        let needsSpaces = ends.contains("`") || ends.contains(" ")
        let space = needsSpaces ? " " : ""
        return ticks + space + text + space + ticks
    }

    /// A text as lines of its own, in a fence that nothing in it can close.
    static func block(_ lines: [String]) -> [String] {
        let longest = lines.map(longestRun).max() ?? 0
        let fence = String(repeating: "`", count: max(shortestFence, longest + 1))
        return [fence + "text"] + lines.map(guarded) + [fence]
    }

    /// A line that no reader of a build's log takes for a command.
    private static func guarded(_ line: String) -> String {
        line.unicodeScalars.drop(while: \.properties.isWhitespace)
            .starts(with: "::".unicodeScalars) ? "| " + line : line
    }

    /// The most backticks in a row.
    private static func longestRun(in text: String) -> Int {
        var (longest, run) = (0, 0)
        // Scalar by scalar: a mark behind a backtick would make one character of the two.
        for scalar in text.unicodeScalars {
            run = scalar == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}
