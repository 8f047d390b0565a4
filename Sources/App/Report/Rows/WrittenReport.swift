import CampaignCore
import CampaignFormat
import Foundation

/// Recognises earlier reports of hubsend by their whole form.
///
/// A file that only shares a word with a report must never be replaced.
enum WrittenReport {
    /// In bytes.
    static let length = 65_536

    /// Whether a file is a report, or empty as from `mktemp`; takes its first ``length`` bytes.
    static func matches(_ beginning: [UInt8]) -> Bool {
        beginning.isEmpty || format(of: beginning) != nil
    }

    /// The format of a report that begins like this; nil for other files.
    static func format(of beginning: [UInt8]) -> ReportFormat? {
        let text = String(decoding: beginning, as: UTF8.self)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let isCut = beginning.count >= length
        // After the last line feed is a cut line or nothing.
        guard let end = lines.popLast(), isCut || end.isEmpty, let first = lines.first else {
            return nil
        }
        let rest = Array(lines.dropFirst())
        return ReportFormat.allCases.first { format in
            switch format {
            case .csv: isCSV(first, rest)
            case .jsonl: isJSONLines(lines)
            case .html: isPage(text)
            case .text: isTable(first, rest) || isSentence(first, rest) || isSummary(lines)
            }
        }
    }

    private static func isCSV(_ header: Substring, _ rows: [Substring]) -> Bool {
        let columns = header.split(separator: ",", omittingEmptySubsequences: false).map(
            String.init)
        let isKnown = [ReportColumn.names, RunRowCSV.columns.map(\.name)].contains { known in
            // Columns are only added at the end.
            columns.count >= ReportColumn.fewest && known.starts(with: columns)
        }
        return isKnown
            && rows.allSatisfy { row in
                let cells = CSVRecord.texts(of: Array(row.utf8))
                return cells.count == columns.count && RunID(cells[0]) != nil
            }
    }

    private static func isJSONLines(_ lines: [Substring]) -> Bool {
        lines.allSatisfy { line in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
            guard let object = object as? [String: Any], let run = object["run"] as? String,
                RunID(run) != nil
            else { return false }
            let names = Set(object.keys)
            let isDelivery =
                names.count >= ReportColumn.fewest
                && names == Set(ReportColumn.names.prefix(names.count))
            return isDelivery
                || names.isSuperset(of: RunRowLines.keys)
                    && names.isSubset(of: RunRowLines.keys.union(RunRowLines.laterKeys))
        }
    }

    private static func isPage(_ text: String) -> Bool {
        guard let title = HTMLPage.title(of: text, maker: RunPage.maker) else { return false }
        return title == RunListPage.title || RunPage.isTitle(title)
    }

    /// A table of runs or of a person's deliveries.
    private static func isTable(_ head: Substring, _ rows: [Substring]) -> Bool {
        let names = words(head)
        guard !rows.isEmpty, names.contains("RUN"), names.contains("CAMPAIGN"),
            names.allSatisfy({ $0.allSatisfy(\.isUppercase) })
        else { return false }
        return rows.allSatisfy { row in
            let cells = words(row)
            return [cells.first, cells.last].contains { $0.flatMap { RunID(String($0)) } != nil }
                || row.hasSuffix(PersonText.retention) || row.hasSuffix(RunListText.sumEnd)
        }
    }

    private static func isSentence(_ first: Substring, _ rest: [Substring]) -> Bool {
        guard rest.allSatisfy({ $0.hasSuffix(PersonText.retention) }) else { return false }
        return first == RunListText.nothingBegan
            || first.hasPrefix(PersonText.nothing) && first.hasSuffix(".")
                && words(first.dropFirst(PersonText.nothing.count)).count == 1
    }

    /// Needs the headline and the facts of every summary.
    private static func isSummary(_ lines: [Substring]) -> Bool {
        let parts = lines.split(separator: "", omittingEmptySubsequences: true).map(Array.init)
        guard let opening = parts.first, opening.count <= 2, isHeadline(opening[0]),
            let facts = parts.dropFirst().first(where: { label($0[0]) == "people" })
        else { return false }
        let run = facts.first { label($0) == "run" }.flatMap { words($0).last }
        return run.flatMap { RunID(String($0)) } != nil
            && Set(["deliveries", "requests", "started", "hub"]).isSubset(of: facts.map(label))
            && parts.dropFirst().allSatisfy { part in
                let (first, rest) = (part[0], part.dropFirst())
                let isHead = rest.isEmpty ? isAdvice(first) : first.hasSuffix(":")
                return (isHead || first.hasPrefix("  ")) && rest.allSatisfy { $0.hasPrefix("  ") }
            }
    }

    private static func isHeadline(_ line: Substring) -> Bool {
        guard let match = line.wholeMatch(of: /[a-z0-9-]{1,60}: ([a-z]+)(?:[ ,].*)?/) else {
            return false
        }
        return RunState(rawValue: String(match.1)) != nil
    }

    private static func isAdvice(_ line: Substring) -> Bool {
        line.contains(" skipped as ") || line.contains("hubsend ")
    }

    /// Empty if the line is not from a table.
    private static func label(_ line: Substring) -> Substring {
        line.hasPrefix("  ") ? words(line).first ?? "" : ""
    }

    private static func words(_ line: Substring) -> [Substring] { line.split(separator: " ") }
}
