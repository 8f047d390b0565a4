import CampaignCore
import FoundationEssentials

/// Recognises earlier reports of hubsend by their whole form.
///
/// A file that only shares a word with a report must never be replaced.
enum WrittenReport {
    /// In bytes.
    static let length = 65_536

    /// Whether a file is a report, or empty as from `mktemp`; takes its first ``length`` bytes.
    static func matches(_ beginning: [UInt8]) -> Bool {
        guard !beginning.isEmpty else { return true }
        let text = String(decoding: beginning, as: UTF8.self)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let isCut = beginning.count >= length
        // After the last line feed is a cut line or nothing.
        guard let end = lines.popLast(), isCut || end.isEmpty, let first = lines.first else {
            return false
        }
        let rest = Array(lines.dropFirst())
        return isCSV(first, rest) || isJSONLines(lines) || isPage(text) || isTable(first, rest)
            || isSentence(first, rest) || isSummary(lines)
    }

    private static func isCSV(_ header: Substring, _ rows: [Substring]) -> Bool {
        let columns = header.split(separator: ",", omittingEmptySubsequences: false).map(
            String.init)
        let isKnown = [ReportColumn.allCases.map(\.rawValue), RunRowCSV.columns].contains { known in
            // Columns are only added at the end.
            columns.count >= ReportColumn.fewest && known.starts(with: columns)
        }
        return isKnown
            && rows.allSatisfy { row in
                let cells = CSVCell.texts(of: Array(row.utf8))
                return cells.count == columns.count && RunID(cells[0]) != nil
            }
    }

    private static func isJSONLines(_ lines: [Substring]) -> Bool {
        lines.allSatisfy { line in
            guard line.hasPrefix("{"), let object = LineKeys(line), let run = object.run,
                RunID(run) != nil
            else { return false }
            let columns = ReportColumn.allCases.map(\.rawValue)
            let isDelivery =
                object.names.count >= ReportColumn.fewest
                && object.names == Set(columns.prefix(object.names.count))
            return isDelivery
                || object.names.isSuperset(of: RunRowLines.keys)
                    && object.names.allSatisfy { RunJSONKey(rawValue: $0) != nil }
                    // Only `runs show` has it.
                    && !object.names.contains(RunJSONKey.delivery.rawValue)
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

private struct LineKeys: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }

    let names: Set<String>
    let run: String?

    /// nil unless it is a JSON object whose run is a text.
    init?(_ line: Substring) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(line.utf8))
        } catch {
            return nil
        }
    }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Name.self)
        names = Set(object.allKeys.map(\.stringValue))
        run = try object.decodeIfPresent(String.self, forKey: Name(stringValue: "run"))
    }
}
