import CampaignCore
import YAMLSyntax

/// An audience file as a campaign names it.
struct AudienceFile: Hashable, Sendable {
    enum Format: Hashable, Sendable {
        /// A name a line.
        case text
        /// A table with a column of usernames.
        case csv
    }

    /// The extensions of tables, in lower case.
    private static let tables = [".csv", ".tsv"]

    /// Whether a text is more likely a file's path than a username.
    static func isLikely(path: String) -> Bool {
        let name = path.lowercased()
        return path.contains("/") || path.hasPrefix(ExportFolder.prefix)
            || (tables + [".txt"]).contains(where: name.hasSuffix)
    }

    /// As the campaign names it.
    let path: String
    /// As a person would name it from the current folder.
    let shownPath: String
    /// Its number in ``AudienceOrigin``, from 1.
    let number: Int
    /// Whether it may be missing or name nobody.
    let allowsEmpty: Bool
    /// How it is read.
    var options = AudienceFileOptions()
    /// The column with people's languages; nil where the audience names none.
    var languageColumn: String?
    /// The column with people's time zones; nil where nobody's turn depends on theirs.
    var zoneColumn: String?
    /// Where the campaign names it.
    var entry: SourceRange?

    /// Decided by the extension, in any case, or by what its entry says of columns.
    var format: Format {
        let name = path.lowercased()
        return options.describesTable || Self.tables.contains(where: name.hasSuffix) ? .csv : .text
    }

    /// The column with the usernames.
    var usernameColumn: String { options.usernameColumn ?? CSVHeader.usernameColumn }

    /// Where it lies in the folder of exports; nil for a file beneath that of the campaigns.
    var exportPath: String? {
        path.hasPrefix(ExportFolder.prefix)
            ? String(path.dropFirst(ExportFolder.prefix.count)) : nil
    }

    /// The fault of an exclusion that names nobody: what should have kept people out may be broken.
    var emptyFault: AudienceFileFault {
        AudienceFileFault(
            file: shownPath, range: TextRange(line: 1, column: 1), rule: .emptyExclusion,
            message: "The file names nobody.",
            help: Self.helpForNobody, isFinal: true)
    }

    /// What to do about an exclusion that names nobody.
    static let helpForNobody: DiagnosticMessage =
        "Export it again; if truly nobody opted out, write \"allow_empty: true\" next to \"files\"."

    /// Whether a fault only costs the row that it is about.
    func skips(_ fault: AudienceFileFault) -> Bool {
        fault.isHeading || options.badRows == .skip && !fault.isFinal
    }

    /// Whether a fault only says that an exclusion is not there, which the campaign allows.
    func forgives(_ fault: AudienceFileFault) -> Bool {
        allowsEmpty && (fault.rule == .missingFile || fault.isEmptyTable)
    }
}

/// What is wrong at one place of an audience file.
package struct AudienceFileFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's path as shown.
    let file: String
    let range: TextRange
    let rule: DiagnosticRule
    let message: DiagnosticMessage
    var help: DiagnosticMessage? = nil
    /// The line, where it could be read.
    var line: String? = nil
    /// Whether nothing after this place can be read.
    var isFinal = false
    /// Whether the row is only a heading, which is always skipped.
    var isHeading = false

    /// Names nobody, since it may end in any log.
    package var description: String {
        let sentences = [message, help].compactMap { $0?.text(maskingAudience: true) }
        let place = "Audience file \(file), line \(range.line), column \(range.column)"
        return VisibleText.escape("\(place): \(sentences.joined(separator: " "))")
    }

    /// Whether the file is a table without even a header: zero bytes.
    fileprivate var isEmptyTable: Bool { rule == .csvHeader && line == nil }

    /// The fault as a diagnostic, for a person who checks the file.
    var diagnostic: Diagnostic { diagnostic(.error, message) }

    /// The same where it only costs its row.
    var skippedRow: Diagnostic { diagnostic(.warning, "\(message) The row is skipped.") }

    private func diagnostic(
        _ severity: Diagnostic.Severity, _ message: DiagnosticMessage
    ) -> Diagnostic {
        let shown = line.map {
            Diagnostic.Excerpt(line: $0, around: range.column, isPersonal: true)
        }
        return Diagnostic(
            file: file, range: range, severity: severity, rule: rule.rawValue, message: message,
            help: help, excerpt: shown)
    }
}

/// How an audience file is read, as its entry in a campaign says.
struct AudienceFileOptions: Hashable, Sendable {
    /// What becomes of a file with rows that cannot be read.
    enum BadRows: String, CaseIterable, Sendable {
        /// Nobody is sent to.
        case refuse
        /// The others are sent to; who was left out is counted and named.
        case skip
    }

    /// The column of a table with the usernames; nil: ``CSVHeader/usernameColumn``.
    var usernameColumn: String?
    /// How old the file may be; nil: as old as it is.
    var maximumAge: Duration?
    var badRows = BadRows.refuse
    var encoding = TextEncoding.utf8
    /// Nil: what its header shows.
    var separator: CSVSeparator?

    /// Whether only a table has what was said.
    var describesTable: Bool { usernameColumn != nil || separator != nil }
}
