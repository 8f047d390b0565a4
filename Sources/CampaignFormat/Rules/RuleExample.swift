import CampaignCore

/// A file, or the lines of it that matter, that breaks a rule or keeps it.
package struct RuleExample: Hashable, Sendable, ExpressibleByStringLiteral {
    /// A file beside it.
    package struct Neighbour: Hashable, Sendable {
        package enum Content: Hashable, Sendable {
            case text(String)
            /// Bytes that are no text, and what they are.
            case bytes([UInt8], meaning: String)
            /// A number of names, one a line.
            case names(Int)
            /// A line, and how often it is there.
            case lines(String, Int)
            /// So many bytes of nothing in particular.
            case size(Int)
            /// A text that was written so many days ago.
            case aged(String, days: Int)
            /// A link to a path.
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

        /// As a page shows it, a line a line.
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

    /// What of a text a page shows in a line.
    private static let longestLine = 76

    /// The lines that matter: the keys of a campaign that are not there are good.
    package let text: String
    /// Whether the lines are the whole file.
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

    /// As a page shows it: the lines, and each file beside it under its name.
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
