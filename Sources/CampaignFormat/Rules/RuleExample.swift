import CampaignCore

/// A file that breaks or follows a rule, or only its relevant lines.
package struct RuleExample: Sendable, ExpressibleByStringLiteral {
    package enum Content: Sendable, ExpressibleByStringLiteral {
        case text(String)
        /// Bytes that are not text; `meaning` describes them.
        case bytes([UInt8], meaning: String)
        case names(Int)
        case lines(String, Int)
        case size(Int)
        /// The text of a file that was written this many days ago.
        case aged(String, days: Int)
        case link(String)

        /// The signature of a PNG file.
        static let picture = bytes(
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], meaning: "a PNG picture")

        package init(stringLiteral text: String) {
            self = .text(text)
        }

        fileprivate var shown: [String] {
            switch self {
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

    /// The files next to the campaign, by path relative to its folder.
    package typealias Files = KeyValuePairs<String, Content>

    static let loyalty: Files = ["audiences/loyalty.csv": "username,first_name\nalice,Alice\n"]
    /// The longest line shown on a page.
    private static let longestLine = 76

    /// The relevant lines; the other keys of a campaign are valid.
    package let text: String
    package let isWhole: Bool
    package let files: Files

    init(_ text: String, isWhole: Bool = false, with files: Files = [:]) {
        self.text = text
        self.isWhole = isWhole
        self.files = files
    }

    package init(stringLiteral text: String) {
        self.init(text)
    }

    /// The lines, followed by the name and content of each file next to the campaign.
    package var shown: [String] {
        files.reduce(Self.lines(of: text)) { lines, file in
            lines + ["", "# \(file.key)"] + file.value.shown
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
