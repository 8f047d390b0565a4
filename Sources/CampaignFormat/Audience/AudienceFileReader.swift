import CampaignCore
import Files

/// Reads one audience file from the beginning, a person at a time.
struct AudienceFileReader {
    private enum Layout {
        case names
        case table(Columns)
    }

    /// Which columns of a table count.
    private struct Columns {
        let header: CSVHeader
        let variables: [Int?]
        let language: Int?
        let zone: Int?
    }

    private let file: AudienceFile
    private let layout: Layout
    private var records: RecordReader
    /// What a person in a text file has: no value for any variable.
    private let noValues: [String?]
    private var cells: CSVCells
    private var languages = LanguageTags()
    private var zones: ZoneLookup
    private var isAtEnd = false

    /// The header of a table; nil for a text file.
    var header: CSVHeader? {
        if case .table(let columns) = layout { columns.header } else { nil }
    }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - folders: where it lies.
    ///   - variables: the columns that people's values come from.
    ///   - zones: the time zones that there are.
    init(
        _ file: AudienceFile, in folders: AudienceFolders, variables: [String],
        zones: any TimeZoneDatabase = SystemTimeZones()
    ) throws(AudienceFileFault) {
        let opened: OpenFile
        do {
            opened = try folders.open(file)
        } catch {
            throw AudienceFileFault(
                file: file.shownPath, range: TextRange(line: 1, column: 1), rule: error.rule,
                message: error.message(forAudience: file.path), help: error.help(for: file.path),
                isFinal: true)
        }
        try self.init(file, opened: opened, variables: variables, zones: zones)
    }

    /// Reads a file that is open.
    init(
        _ file: AudienceFile, opened: OpenFile, variables: [String],
        zones: any TimeZoneDatabase = SystemTimeZones()
    ) throws(AudienceFileFault) {
        self.file = file
        self.zones = ZoneLookup(zones)
        noValues = variables.map { _ in nil }
        let isTable = file.format == .csv
        records = try RecordReader(
            opened, path: file.shownPath, encoding: file.options.encoding,
            layout: isTable
                ? .rows(separator: file.options.separator, naming: file.usernameColumn) : .lines)
        cells = CSVCells(separator: records.separator ?? .comma)
        guard isTable else {
            layout = .names
            return
        }
        let header = try CSVHeader(
            &records, path: file.shownPath, naming: file.usernameColumn)
        layout = .table(
            Columns(
                header: header, variables: variables.map { header.column(of: $0) },
                language: file.languageColumn.flatMap { header.columns.firstIndex(of: $0) },
                zone: file.zoneColumn.flatMap { header.columns.firstIndex(of: $0) }))
    }

    /// The next person; blank lines do not count.
    ///
    /// - Returns: nil at the end, and from then on.
    /// - Throws: ``AudienceFileFault``; after one that is not final the next call goes on behind it.
    mutating func next() throws(AudienceFileFault) -> AudienceMember? {
        guard !isAtEnd else { return nil }
        do throws(AudienceFileFault) {
            while let record = try records.next() {
                let name = trimmed(record)
                if name.isEmpty { continue }
                switch layout {
                case .names:
                    let username = try username(at: name, in: record)
                    return member(username, values: noValues)
                case .table(let columns):
                    return try row(record, columns)
                }
            }
            isAtEnd = true
            return nil
        } catch {
            isAtEnd = error.isFinal
            throw error
        }
    }

    private mutating func row(
        _ record: Range<Int>, _ columns: Columns
    ) throws(AudienceFileFault) -> AudienceMember {
        let header = columns.header
        do throws(CSVCells.Fault) {
            try cells.split(record, of: records.buffer)
        } catch {
            throw records.fault(
                .invalidCSV, at: error.range, in: record, error.message, help: error.help)
        }
        guard cells.cells.count == header.columns.count else {
            throw records.fault(
                .invalidCSV, at: record, in: record,
                "The row does not have as many cells as the header: \(cells.cells.count), not \(header.columns.count).",
                help: cells.areQuotedTogether(record, of: records.buffer)
                    ? CSVCells.adviceOnQuotedRows
                    : "Cells with \((records.separator ?? .comma).rawValue)s in them need quotes.")
        }
        let username = try username(at: trimmed(cells.cells[header.username].range), in: record)
        let values = columns.variables.map { column -> String? in
            guard let column, !cells.cells[column].range.isEmpty else { return nil }
            return cells.text(column, of: records.buffer)
        }
        var language: LanguageTag?
        if let column = columns.language {
            language = try self.language(at: trimmed(cells.cells[column].range), in: record)
        }
        var zone: String?
        if let column = columns.zone {
            zone = try self.zone(at: trimmed(cells.cells[column].range), in: record)
        }
        return member(username, values: values, language: language, zone: zone)
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
        throws(AudienceFileFault) -> Username
    {
        let text = String(decoding: records.buffer[range], as: UTF8.self)
        do throws(UsernameFault) {
            return try Username(text)
        } catch {
            throw records.fault(
                .invalidUsername, at: range, in: record,
                .invalidUsername(text, error), help: help(for: error))
        }
    }

    /// A person's language; nil where the cell is empty.
    private mutating func language(
        at range: Range<Int>, in record: Range<Int>
    ) throws(AudienceFileFault) -> LanguageTag? {
        guard !range.isEmpty else { return nil }
        let text = String(decoding: records.buffer[range], as: UTF8.self)
        guard let tag = languages.tag(text) else {
            throw records.fault(
                .invalidLanguage, at: range, in: record,
                "\"\(audience: text.shortened)\" is not a language tag.",
                help: LanguageTags.help(for: text))
        }
        return tag
    }

    /// A person's time zone; nil where the cell is empty.
    private mutating func zone(
        at range: Range<Int>, in record: Range<Int>
    ) throws(AudienceFileFault) -> String? {
        guard !range.isEmpty else { return nil }
        let name = String(decoding: records.buffer[range], as: UTF8.self)
        guard let trouble = zones.trouble(with: name) else { return name }
        var fault = records.fault(
            trouble.rule, at: range, in: record, trouble.message, help: trouble.help)
        // It is the system that is at fault, in which no row can be told from another.
        fault.isFinal = trouble.rule == .unreadableFile
        throw fault
    }

    /// A comma in a list of names is most often a table with the wrong extension.
    private func help(for fault: UsernameFault) -> DiagnosticMessage? {
        guard case .names = layout else { return nil }
        switch fault {
        case .forbidden(","), .forbidden(";"), .forbidden("\t"):
            return "If the file is a table, its name must end in .csv."
        default: return nil
        }
    }

    /// A part of the buffer without the spaces and tabs around it.
    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isBlank(records.buffer[start]) { start += 1 }
        while start < end, isBlank(records.buffer[end - 1]) { end -= 1 }
        return start..<end
    }

    private func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}

/// Reads language tags; a file has few different ones, each of which is read once.
private struct LanguageTags {
    /// More different ones than any file has that is meant as one.
    private static let most = 1_000

    private var known: [String: LanguageTag] = [:]

    /// Reads a tag; nil when the text is not a language tag.
    mutating func tag(_ text: String) -> LanguageTag? {
        if let tag = known[text] { return tag }
        let tag = LanguageTag(text)
        if let tag, known.count < Self.most { known[text] = tag }
        return tag
    }

    /// What to write instead.
    static func help(for text: String) -> DiagnosticMessage {
        // As systems other than the Web write locales.
        if let meant = LanguageTag(text.replacing("_", with: "-")) {
            return "Did you mean \"\(audience: meant.text)\"?"
        }
        return "Write one such as de, pt-BR or zh-Hant (BCP 47), or leave the cell empty."
    }
}
