import CampaignCore

/// A file, or the lines of it that matter, that breaks a rule or keeps it.
package struct RuleExample: Hashable, Sendable, ExpressibleByStringLiteral {
    package struct Neighbour: Hashable, Sendable {
        package enum Content: Hashable, Sendable {
            case text(String)
            /// `meaning` says what they are.
            case bytes([UInt8], meaning: String)
            case names(Int)
            case lines(String, Int)
            case size(Int)
            /// Written so many days ago.
            case aged(String, days: Int)
            case link(String)
        }

        /// Relative to the campaign's folder.
        package let path: String
        package let content: Content

        init(_ path: String, _ content: Content) {
            self.path = path
            self.content = content
        }

        init(_ path: String, _ text: String) {
            self.init(path, .text(text))
        }

        package var shown: [String] {
            switch content {
            case .text(let text): RuleExample.lines(of: text)
            case .bytes(_, let meaning): ["(\(meaning))"]
            case .names(let count): ["user-1", "user-2", "…", "user-\(count)"]
            case .lines(let line, let count): [line, "(and so on, \(count) lines)"]
            case .size(let bytes): ["(\(bytes / 1_000_000) MB)"]
            case .aged(let text, let days):
                RuleExample.lines(of: text) + ["(written \(days) days ago)"]
            case .link(let target): ["(a link to \(target))"]
            }
        }
    }

    /// The longest line shown on a page.
    private static let longestLine = 76

    /// The lines that matter; the other keys of a campaign are good.
    package let text: String
    package let isWhole: Bool
    package let neighbours: [Neighbour]

    init(
        _ text: String, isWhole: Bool = false, beside neighbours: [Neighbour] = []
    ) {
        self.text = text
        self.isWhole = isWhole
        self.neighbours = neighbours
    }

    package init(stringLiteral text: String) {
        self.init(text)
    }

    /// The lines, then each neighbouring file under its name.
    package var shown: [String] {
        neighbours.reduce(Self.lines(of: text)) { lines, neighbour in
            lines + ["", "# \(neighbour.path)"] + neighbour.shown
        }
    }

    private static func lines(of text: String) -> [String] {
        let text = text.hasSuffix("\n") ? String(text.dropLast()) : text
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            VisibleText.escape(
                line.count > longestLine ? line.prefix(longestLine) + "…" : String(line))
        }
    }
}
