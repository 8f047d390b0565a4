import CampaignCore
import Files

struct AudienceFileReader {
    private enum Layout {
        case names
        case table(Columns)
    }

    private struct Columns {
        let header: CSVHeader
        let variables: [Int?]
        let language: Int?
        let zone: Int?
    }

    private let file: AudienceFile
    private let layout: Layout
    private var records: RecordReader
    private var cells: CSVRecord { records.row }
    private let noValues: [String?]
    private var languages = LanguageTags()
    private var zones: ZoneLookup
    private var isAtEnd = false
    private var isAtStart = true

    var header: CSVHeader? {
        if case .table(let columns) = layout { columns.header } else { nil }
    }

    init(
        _ file: AudienceFile, in folders: AudienceFolders, variables: [String],
        zones: any TimeZoneDatabase = SystemTimeZones()
    ) throws(AudienceFileError) {
        let opened: OpenFile
        do {
            opened = try folders.open(file)
        } catch {
            throw AudienceFileError(
                file: file.shownPath, range: TextRange(line: 1, column: 1), rule: error.rule,
                message: error.message(forAudience: file.path), help: error.help(for: file.path),
                isFinal: true)
        }
        try self.init(file, opened: opened, variables: variables, zones: zones)
    }

    init(
        _ file: AudienceFile, opened: OpenFile, variables: [String],
        zones: any TimeZoneDatabase = SystemTimeZones()
    ) throws(AudienceFileError) {
        self.file = file
        self.zones = ZoneLookup(zones)
        noValues = variables.map { _ in nil }
        let isTable = file.format == .csv
        records = try RecordReader(
            opened, path: file.shownPath, encoding: file.options.encoding ?? .utf8,
            layout: isTable
                ? .rows(separator: file.options.separator, naming: file.usernameColumn) : .lines)
        guard isTable else {
            layout = .names
            return
        }
        let header = try CSVHeader(&records, of: file)
        layout = .table(
            Columns(
                header: header, variables: variables.map { header.column(of: $0) },
                language: file.languageColumn.flatMap { header.columns.firstIndex(of: $0) },
                zone: file.zoneColumn.flatMap { header.columns.firstIndex(of: $0) }))
    }

    /// Returns the next person, skipping empty lines; nil at the end.
    ///
    /// May be called again after an error that is not final.
    mutating func next() throws(AudienceFileError) -> AudienceMember? {
        guard !isAtEnd else { return nil }
        do throws(AudienceFileError) {
            guard let record = try records.next() else {
                isAtEnd = true
                return nil
            }
            defer { isAtStart = false }
            switch layout {
            case .names: return try line(record)
            case .table(let columns): return try row(record, columns)
            }
        } catch {
            isAtEnd = error.isFinal
            throw error
        }
    }

    private func line(_ record: Range<Int>) throws(AudienceFileError) -> AudienceMember {
        let name = Blanks.trimmed(record, of: records.buffer)
        try checkHeading(name, in: record)
        return member(try username(at: name, in: record), values: noValues)
    }

    private mutating func row(
        _ record: Range<Int>, _ columns: Columns
    ) throws(AudienceFileError) -> AudienceMember {
        let header = columns.header
        let cells = cells
        try checkHeading(of: record, header)
        let filled = (cells.cells.lastIndex { !$0.range.isEmpty } ?? -1) + 1
        guard cells.cells.count >= header.width, filled <= header.width else {
            let count = max(filled, min(cells.cells.count, header.width))
            throw records.problem(
                .invalidCSV, at: record, in: record,
                "The row has \(Figures.count(count, "cell", "cells")), but the header has \(Figures.count(header.width, "column", "columns")).",
                help: adviceOnCells(of: record, header))
        }
        var name = cells.cells[header.username].range
        // hubsend's reports put an apostrophe before text that a spreadsheet would read as a
        // formula.
        if name.count > 1, records.buffer[name.lowerBound] == UInt8(ascii: "'"),
            "-@".utf8.contains(records.buffer[name.lowerBound + 1])
        {
            name = (name.lowerBound + 1)..<name.upperBound
        }
        let username = try username(at: name, in: record)
        let values = columns.variables.map { column -> String? in
            guard let column, !cells.cells[column].range.isEmpty else { return nil }
            return cells.text(column, of: records.buffer)
        }
        var language: LanguageTag?
        if let column = columns.language {
            language = try self.language(at: cells.cells[column].range, in: record)
        }
        var zone: String?
        if let column = columns.zone {
            zone = try self.zone(at: cells.cells[column].range, in: record)
        }
        return member(username, values: values, language: language, zone: zone)
    }

    private func adviceOnCells(of record: Range<Int>, _ header: CSVHeader) -> DiagnosticMessage {
        let separator = cells.separator.rawValue
        if cells.areQuotedTogether(record, of: records.buffer) {
            return CSVRecord.adviceOnQuotedRows
        }
        guard cells.cells.count < header.width else {
            return header.width < header.columns.count
                ? "Put quotes around cells that contain a \(separator), and give every column with values a name."
                : "Put quotes around cells that contain a \(separator)."
        }
        let other = CSVSeparator.allCases.first {
            cells.cells.count == 1 && records.buffer[record].contains($0.byte)
        }
        if let other {
            return
                "The row seems to use \(other.rawValue)s as separators, but the header uses \(separator)s; use the same separator in the whole file."
        }
        return
            "Write a \(separator) for empty cells too, and put quotes around cells that contain a line break."
    }

    /// Refuses a row that repeats the header, as in exports that were joined.
    private func checkHeading(
        of record: Range<Int>, _ header: CSVHeader
    ) throws(AudienceFileError) {
        // The length is compared first because that is cheap: few usernames are as long as the
        // column's name.
        guard header.username < cells.cells.count,
            cells.cells[header.username].range.count == header.usernameLength
        else { return }
        func repeats(_ column: Int) -> Bool {
            column < cells.cells.count
                && Blanks.column(cells.text(column, of: records.buffer)).lowercased()
                    == header.columns[column].lowercased()
        }
        guard repeats(header.username) else { return }
        let isSame = (0..<header.width).allSatisfy(repeats)
        var problem = records.problem(
            .csvHeader, at: record, in: record,
            isSame
                ? "The row repeats the header."
                : "The row is a second header with different columns.",
            help: isSame
                ? "Delete the row." : "Put tables with different columns into separate files.")
        problem.isHeading = isSame
        problem.isFinal = !isSame
        throw problem
    }

    /// Refuses a heading in a list of names.
    ///
    /// `username` is never a person's name. Other common headings are only recognised in the first
    /// line, because they may be names.
    private func checkHeading(
        _ name: Range<Int>, in record: Range<Int>
    ) throws(AudienceFileError) {
        guard name.count <= CSVHeader.longestHeading,
            isAtStart
                || records.buffer[name.lowerBound] | 0x20 == UInt8(ascii: "u")
                    && records.buffer[name.upperBound - 1] | 0x20 == UInt8(ascii: "e")
        else { return }
        let text = String(decoding: records.buffer[name], as: UTF8.self)
        let word = CSVHeader.plain(text)
        let isColumn = word == CSVHeader.usernameColumn
        guard isColumn || isAtStart && CSVHeader.headings.contains(word) else { return }
        var problem = records.problem(
            .invalidUsername, at: name, in: record,
            isColumn
                ? "\"\(text)\" is a heading, not a name."
                : "\"\(text)\" in the first line looks like a heading.",
            help: isColumn
                ? "Delete the line."
                : "Delete the line; if it is a person's name, put another name first.")
        problem.isHeading = isColumn
        throw problem
    }

    private func member(
        _ username: Username, values: [String?], language: LanguageTag? = nil,
        zone: String? = nil
    ) -> AudienceMember {
        AudienceMember(
            username: username, values: values, language: language, zone: zone,
            origin: AudienceOrigin(file: file.number, line: records.line))
    }

    private func username(at range: Range<Int>, in record: Range<Int>)
        throws(AudienceFileError) -> Username
    {
        let text = String(decoding: records.buffer[range], as: UTF8.self)
        do throws(UsernameError) {
            return try Username(text)
        } catch {
            throw records.problem(
                .invalidUsername, at: range, in: record, .invalidUsername(text, error),
                help: DiagnosticMessage.helpForUsername(text) ?? help(for: error))
        }
    }

    private mutating func language(
        at range: Range<Int>, in record: Range<Int>
    ) throws(AudienceFileError) -> LanguageTag? {
        guard !range.isEmpty else { return nil }
        let text = String(decoding: records.buffer[range], as: UTF8.self)
        guard let tag = languages.tag(text) else {
            throw records.problem(
                .invalidLanguage, at: range, in: record,
                "\"\(audience: text.shortened)\" is not a language tag\(Self.explanation(of: text)).",
                help: LanguageTags.help(for: text))
        }
        return tag
    }

    /// The end of a sentence that explains a word for a missing value.
    private static func explanation(of text: String) -> String {
        MissingValueWord(text).map { "; it is \($0.description)" } ?? ""
    }

    private mutating func zone(
        at range: Range<Int>, in record: Range<Int>
    ) throws(AudienceFileError) -> String? {
        guard !range.isEmpty else { return nil }
        let name = String(decoding: records.buffer[range], as: UTF8.self)
        guard let trouble = zones.trouble(with: name) else { return name }
        let isMissing = MissingValueWord(name) != nil
        var problem = records.problem(
            trouble.rule, at: range, in: record,
            isMissing
                ? "\"\(audience: name)\" is not a time zone\(Self.explanation(of: name))."
                : trouble.message,
            help: isMissing
                ? "Write a time zone such as Europe/Berlin, or leave the cell empty." : trouble.help
        )
        // If the system's time zone database is broken, every row would fail.
        problem.isFinal = trouble.rule == .unreadableFile
        throw problem
    }

    /// A comma in a list of names usually means that the file is a table with the wrong extension.
    private func help(for problem: UsernameError) -> DiagnosticMessage? {
        guard case .names = layout else { return nil }
        if problem.isQuote { return "Remove the quotes: in a text file, each line is a name." }
        switch problem {
        case .forbidden(","), .forbidden(";"), .forbidden("\t"):
            return "If the file is a table, its name must end in .csv."
        default: return nil
        }
    }
}

/// Parses each distinct tag of a file only once.
private struct LanguageTags {
    private static let most = 1_000

    private var known: [String: LanguageTag] = [:]

    mutating func tag(_ text: String) -> LanguageTag? {
        if let tag = known[text] { return tag }
        // Some words for a missing value look like language tags.
        let tag = MissingValueWord(text) == nil ? LanguageTag(text) : nil
        if let tag, known.count < Self.most { known[text] = tag }
        return tag
    }

    static func help(for text: String) -> DiagnosticMessage {
        // Other systems write locales with an underscore, such as `de_DE`.
        if MissingValueWord(text) == nil, let meant = LanguageTag(text.replacing("_", with: "-")) {
            return "Did you mean \"\(audience: meant.text)\"?"
        }
        return "Write a tag such as de, pt-BR or zh-Hant (BCP 47), or leave the cell empty."
    }
}
