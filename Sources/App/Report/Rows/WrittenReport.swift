import CampaignCore
import CampaignFormat
import Foundation

/// Recognises reports that hubsend wrote, by their complete form.
///
/// A file that merely shares a few words with a report must never be replaced.
struct WrittenReport {
    /// How many bytes of a file are needed to recognise it.
    static let length = 65_536

    private let text: String
    /// The complete lines.
    private let lines: [Substring]
    private let head: Substring
    private var rest: ArraySlice<Substring> { lines.dropFirst() }

    /// Reads the first ``length`` bytes of a file; nil if they are not text in complete lines.
    init?(_ beginning: [UInt8]) {
        text = String(decoding: beginning, as: UTF8.self)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let isCut = beginning.count >= Self.length
        // The text after the last line feed is empty or a truncated line.
        guard let end = lines.popLast(), isCut || end.isEmpty, let head = lines.first else {
            return nil
        }
        self.lines = lines
        self.head = head
    }

    /// Whether a file with these first ``length`` bytes is a report, or is empty, like a file that
    /// `mktemp` creates.
    static func matches(_ beginning: [UInt8]) -> Bool {
        beginning.isEmpty || format(of: beginning) != nil
    }

    /// The format of a report with this beginning; nil for other files.
    static func format(of beginning: [UInt8]) -> ReportFormat? {
        WrittenReport(beginning).flatMap { report in
            ReportFormat.allCases.first { $0.isFormat(of: report) }
        }
    }

    var isCSV: Bool {
        let columns = head.split(separator: ",", omittingEmptySubsequences: false).map(
            String.init)
        let isKnown = [ReportColumn.names, RunRowCSV.columns.map(\.name)].contains { known in
            // New versions add columns only at the end.
            columns.count >= ReportColumn.fewest && known.starts(with: columns)
        }
        return isKnown
            && rest.allSatisfy { row in
                let cells = CSVRecord.texts(of: Array(row.utf8))
                return cells.count == columns.count && RunID(cells[0]) != nil
            }
    }

    var isJSONLines: Bool {
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

    var isPage: Bool {
        pageTitle == RunListPage.title[...] || runOfPage != nil
    }

    var runOfPage: RunID? { pageTitle.flatMap(RunPage.run) }

    private var pageTitle: Substring? { HTMLPage.title(of: text, maker: RunPage.maker) }

    /// Whether the text is a table of runs or of a person's deliveries.
    var isTable: Bool {
        let names = Self.words(head)
        guard !rest.isEmpty, names.contains("RUN"), names.contains("CAMPAIGN"),
            names.allSatisfy({ $0.allSatisfy(\.isUppercase) })
        else { return false }
        return rest.allSatisfy { row in
            let cells = Self.words(row)
            return [cells.first, cells.last].contains { $0.flatMap { RunID(String($0)) } != nil }
                || Self.isRetention(row) || row.hasSuffix(RunListText.sumEnd)
        }
    }

    var isSentence: Bool {
        guard rest.allSatisfy(Self.isRetention) else { return false }
        return [RunListText.nothingBegan, "No run began within that time."].contains(String(head))
            || [PersonText.nothing, "No run of this store was for "].contains { beginning in
                head.hasPrefix(beginning) && head.hasSuffix(".")
                    && Self.words(head.dropFirst(beginning.count)).count == 1
            }
    }

    /// The sentences of earlier versions are recognised too.
    private static func isRetention(_ line: Substring) -> Bool {
        line.hasSuffix(PersonText.retention)
            || line.hasSuffix(
                " left out: whom they went to was deleted, as the config's `retention` says.")
    }

    /// Whether the text has the headline and the facts that every summary has.
    var isSummary: Bool {
        let parts = lines.split(separator: "", omittingEmptySubsequences: true).map(Array.init)
        guard let opening = parts.first, opening.count <= 2, Self.isHeadline(opening[0]),
            let facts = parts.dropFirst().first(where: { Self.label($0[0]) == "people" })
        else { return false }
        let run = facts.first { Self.label($0) == "run" }.flatMap { Self.words($0).last }
        return run.flatMap { RunID(String($0)) } != nil
            && Set(["deliveries", "requests", "started", "hub"]).isSubset(of: facts.map(Self.label))
            && parts.dropFirst().allSatisfy { part in
                let (first, rest) = (part[0], part.dropFirst())
                let isHead = rest.isEmpty ? Self.isAdvice(first) : first.hasSuffix(":")
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

    /// The label of a line with a fact; empty for other lines.
    private static func label(_ line: Substring) -> Substring {
        line.hasPrefix("  ") ? words(line).first ?? "" : ""
    }

    private static func words(_ line: Substring) -> [Substring] { line.split(separator: " ") }
}
