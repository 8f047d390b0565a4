import CampaignCore

struct AudienceFile: Hashable, Sendable {
    enum Format: Hashable, Sendable {
        case text
        case csv
    }

    private static let tables = [".csv", ".tsv"]

    /// Rather than a username.
    static func isLikely(path: String) -> Bool {
        let name = path.lowercased()
        return path.contains("/") || path.hasPrefix(ExportFolder.prefix)
            || (tables + [".txt"]).contains(where: name.hasSuffix)
    }

    let path: String
    /// As a person would name it from the current folder.
    let shownPath: String
    /// In ``AudienceOrigin``, from 1.
    let number: Int
    /// It may be missing or name nobody.
    let allowsEmpty: Bool
    var options = AudienceFileOptions()
    var languageColumn: String?
    /// nil if time zones do not matter.
    var zoneColumn: String?
    var entry: SourceRange?

    /// By the extension in any case, or by the column options of its entry.
    var format: Format {
        let name = path.lowercased()
        return options.describesTable || Self.tables.contains(where: name.hasSuffix) ? .csv : .text
    }

    var usernameColumn: String { options.usernameColumn ?? CSVHeader.usernameColumn }

    /// Within the folder of exports; nil for other files.
    var exportPath: String? {
        path.hasPrefix(ExportFolder.prefix)
            ? String(path.dropFirst(ExportFolder.prefix.count)) : nil
    }

    /// An exclusion that names nobody may be broken.
    var emptyFault: AudienceFileFault {
        AudienceFileFault(
            file: shownPath, range: TextRange(line: 1, column: 1), rule: .emptyExclusion,
            message: "The file names nobody.",
            help: Self.helpForNobody, isFinal: true)
    }

    static let helpForNobody: DiagnosticMessage =
        "Export it again; if truly nobody opted out, write \"allow_empty: true\" next to \"files\"."

    /// Whether a fault only costs its row.
    func skips(_ fault: AudienceFileFault) -> Bool {
        fault.isHeading || options.badRows == .skip && !fault.isFinal
    }

    /// Whether a fault only says that an optional exclusion is missing.
    func forgives(_ fault: AudienceFileFault) -> Bool {
        allowsEmpty && (fault.rule == .missingFile || fault.isEmptyTable)
    }
}

package struct AudienceFileFault: Error, Hashable, Sendable, CustomStringConvertible {
    let file: String
    let range: TextRange
    let rule: Rule
    let message: DiagnosticMessage
    var help: DiagnosticMessage? = nil
    /// nil if it could not be read.
    var line: String? = nil
    /// Nothing after it can be read.
    var isFinal = false
    /// The row is only a heading, which is always skipped.
    var isHeading = false

    /// Names nobody, since it may end up in any log.
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
    /// What happens to a file with unreadable rows.
    enum BadRows: String, CaseIterable, Sendable {
        /// Nobody is sent to.
        case refuse
        /// The others are sent to; people left out are counted and named.
        case skip
    }

    /// nil: ``CSVHeader/usernameColumn``.
    var usernameColumn: String?
    var maximumAge: Duration?
    var badRows = BadRows.refuse
    var encoding = TextEncoding.utf8
    /// nil: found from the header.
    var separator: CSVSeparator?

    /// Whether an option only applies to tables.
    var describesTable: Bool { usernameColumn != nil || separator != nil }
}
