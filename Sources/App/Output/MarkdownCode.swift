import CampaignCore

/// Text from files as inert Markdown code (CommonMark, sections 4.5 and 6.1).
enum MarkdownCode {
    private static let shortestFence = 3

    /// Inline code, such as `` `a text` ``; the text must be one visible line.
    static func span(_ text: String) -> String {
        guard text.contains(where: { $0 != " " }) else {
            return text.isEmpty ? "(empty)" : "(blank)"
        }
        let ticks = String(repeating: "`", count: longestRun(in: text) + 1)
        // If the text begins or ends with a backtick or a space, a space is added on either side,
        // which Markdown removes.
        let ends = [text.unicodeScalars.first, text.unicodeScalars.last]
        let needsSpaces = ends.contains("`") || ends.contains(" ")
        let space = needsSpaces ? " " : ""
        return ticks + space + text + space + ticks
    }

    /// Returns a fence that nothing in the text can close.
    static func block(_ lines: [String]) -> [String] {
        let longest = lines.map(longestRun).max() ?? 0
        let fence = String(repeating: "`", count: max(shortestFence, longest + 1))
        return [fence + "text"] + lines.map(guarded) + [fence]
    }

    /// Prevents build servers from mistaking a line for a command.
    private static func guarded(_ line: String) -> String {
        line.unicodeScalars.drop(while: \.properties.isWhitespace)
            .starts(with: "::".unicodeScalars) ? "| " + line : line
    }

    private static func longestRun(in text: String) -> Int {
        var (longest, run) = (0, 0)
        // Search by scalar, because a combining mark forms one character with the backtick before
        // it.
        for scalar in text.unicodeScalars {
            run = scalar == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}
