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
        // Markdown removes one space on either side, so that a text may begin or end with a
        // backtick or space.
        let ends = [text.unicodeScalars.first, text.unicodeScalars.last]
        let needsSpaces = ends.contains("`") || ends.contains(" ")
        let space = needsSpaces ? " " : ""
        return ticks + space + text + space + ticks
    }

    /// A fence that nothing in the text can close.
    static func block(_ lines: [String]) -> [String] {
        let longest = lines.map(longestRun).max() ?? 0
        let fence = String(repeating: "`", count: max(shortestFence, longest + 1))
        return [fence + "text"] + lines.map(guarded) + [fence]
    }

    /// Disarms build-log commands.
    private static func guarded(_ line: String) -> String {
        line.unicodeScalars.drop(while: \.properties.isWhitespace)
            .starts(with: "::".unicodeScalars) ? "| " + line : line
    }

    private static func longestRun(in text: String) -> Int {
        var (longest, run) = (0, 0)
        // By scalar: a combining mark after a backtick would merge with it.
        for scalar in text.unicodeScalars {
            run = scalar == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}
