import CampaignCore

struct AudienceFile: Hashable, Sendable {
    enum Format: Hashable, Sendable {
        case text
        case csv
    }

    private static let tables = [".csv", ".tsv"]

    /// Whether the text is probably a path rather than a username.
    static func isLikely(path: String) -> Bool {
        let name = path.lowercased()
        return path.contains("/") || path.hasPrefix(ExportFolder.prefix)
            || (tables + [".txt"]).contains(where: name.hasSuffix)
    }

    let path: String
    /// The path as a person would write it from the current folder.
    let shownPath: String
    /// The file's number in ``AudienceOrigin``, counted from 1.
    let number: Int
    /// Whether the file may be missing or empty.
    let allowsEmpty: Bool
    var options = AudienceFileOptions()
    var languageColumn: String?
    /// nil if the campaign does not use time zones.
    var zoneColumn: String?
    var entry: SourceRange?

    /// A table if the file has a table's extension, in any case, or column options in its entry.
    var format: Format {
        let name = path.lowercased()
        return options.describesTable || Self.tables.contains(where: name.hasSuffix) ? .csv : .text
    }

    var usernameColumn: String { options.usernameColumn ?? CSVHeader.usernameColumn }

    /// The path within the folder of exports; nil for other files.
    var exportPath: String? {
        path.hasPrefix(ExportFolder.prefix)
            ? String(path.dropFirst(ExportFolder.prefix.count)) : nil
    }

    /// The error for an exclusion without names, which is probably broken.
    var emptyError: AudienceFileError {
        AudienceFileError(
            file: shownPath, range: TextRange(line: 1, column: 1), rule: .emptyExclusion,
            message: "The file contains no names.",
            help: Self.helpForNobody, isFinal: true)
    }

    static let helpForNobody: DiagnosticMessage =
        "Export it again; if nobody has opted out, write \"allow_empty: true\" next to \"files\"."

    /// Whether only the row with the problem is skipped, instead of the campaign being refused.
    func skips(_ problem: AudienceFileError) -> Bool {
        guard options.badRows == .skip, !problem.isFinal else { return problem.isHeading }
        return problem.isHeading || !isUndeclaredEncoding(problem)
    }

    /// Whether a line is not UTF-8, and the file's entry does not declare another encoding.
    ///
    /// The whole file is then probably in another encoding, and skipping would leave out everybody
    /// whose name has an accent.
    private func isUndeclaredEncoding(_ problem: AudienceFileError) -> Bool {
        problem.rule == .encoding && options.encoding == nil
    }

    /// Adds the reason why a row is not skipped despite `on_bad_row: skip`.
    func explained(_ problem: AudienceFileError) -> AudienceFileError {
        guard options.badRows == .skip, !problem.isFinal, isUndeclaredEncoding(problem) else {
            return problem
        }
        var explained = problem
        let advice: DiagnosticMessage =
            "To skip such rows anyway, add \"encoding: utf-8\" to the file's entry."
        explained.help = problem.help.map { "\($0) \(advice)" } ?? advice
        return explained
    }

    /// Whether the error only says that an optional exclusion is missing or empty.
    func forgives(_ problem: AudienceFileError) -> Bool {
        allowsEmpty && (problem.rule == .missingFile || problem.isEmptyTable)
    }
}

package struct AudienceFileError: Error, Hashable, Sendable, CustomStringConvertible {
    let file: String
    let range: TextRange
    let rule: Rule
    let message: DiagnosticMessage
    var help: DiagnosticMessage? = nil
    /// nil if the line could not be read.
    var line: String? = nil
    /// Whether reading cannot continue after the error.
    var isFinal = false
    /// Whether the row is a heading, which is always skipped.
    var isHeading = false

    /// Contains no names, because the text may end up in a log.
    package var description: String {
        let sentences = [message, help].compactMap { $0?.text(maskingAudience: true) }
        let place = "Audience file \(file), line \(range.line), column \(range.column)"
        return VisibleText.escape("\(place): \(sentences.joined(separator: " "))")
    }

    fileprivate var isEmptyTable: Bool { rule == .csvHeader && line == nil }

    var diagnostic: Diagnostic { diagnostic(.error, message) }

    var skippedRow: Diagnostic { diagnostic(.warning, "\(message) The row is skipped.") }

    private func diagnostic(
        _ severity: Diagnostic.Severity, _ message: DiagnosticMessage
    ) -> Diagnostic {
        let shown = line.map {
            Diagnostic.Excerpt(line: $0, around: range.column, isPersonal: true)
        }
        return Diagnostic(
            rule, severity, in: file, at: range, message, help: help, excerpt: shown)
    }
}

struct AudienceFileOptions: Hashable, Sendable {
    /// How a file with unusable rows is handled.
    enum BadRows: String, CaseIterable, Sendable {
        /// The campaign is refused.
        case refuse
        /// The rows are skipped, counted and listed.
        case skip
    }

    /// nil: ``CSVHeader/usernameColumn``.
    var usernameColumn: String?
    var maximumAge: Duration?
    var badRows = BadRows.refuse
    /// nil: UTF-8.
    var encoding: TextEncoding?
    /// nil means that the separator is detected from the header.
    var separator: CSVSeparator?

    /// Whether there is an option that only applies to tables.
    var describesTable: Bool { usernameColumn != nil || separator != nil }
}
