import CampaignCore
import Files

/// Reads one audience file from the beginning, a person at a time.
struct AudienceFileReader {
    private enum Layout {
        case names
        case table(CSVHeader, variables: [Int?])
    }

    private let file: AudienceFile
    private let layout: Layout
    private var records: RecordReader
    /// What a person in a text file has: no value for any variable.
    private let noValues: [String?]
    private var cells = CSVCells()
    private var isAtEnd = false

    /// The header of a table; nil for a text file.
    var header: CSVHeader? {
        if case .table(let header, _) = layout { header } else { nil }
    }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - folder: where it lies.
    ///   - variables: the columns that people's values come from.
    init(_ file: AudienceFile, in folder: SafeFolder, variables: [String])
        throws(AudienceFileFault)
    {
        let opened: OpenFile
        do {
            opened = try folder.open(file.path)
        } catch {
            throw AudienceFileFault(
                file: file.shownPath, range: TextRange(line: 1, column: 1), rule: error.rule,
                message: error.message(for: file.path), help: error.help, isFinal: true)
        }
        try self.init(file, opened: opened, variables: variables)
    }

    /// Reads a file that is open.
    init(_ file: AudienceFile, opened: OpenFile, variables: [String]) throws(AudienceFileFault) {
        self.file = file
        noValues = variables.map { _ in nil }
        let isTable = file.format == .csv
        records = try RecordReader(opened, path: file.shownPath, hasQuotes: isTable)
        guard isTable else {
            layout = .names
            return
        }
        let header = try CSVHeader(&records, path: file.shownPath)
        layout = .table(header, variables: variables.map { header.columns.firstIndex(of: $0) })
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
                case .table(let header, let variables):
                    return try row(record, header: header, variables: variables)
                }
            }
            isAtEnd = true
            return nil
        } catch {
            isAtEnd = error.isFinal
            throw error
        }
    }

    private mutating func row(_ record: Range<Int>, header: CSVHeader, variables: [Int?])
        throws(AudienceFileFault) -> AudienceMember
    {
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
                help: "Cells with commas in them need quotes.")
        }
        let username = try username(at: trimmed(cells.cells[header.username].range), in: record)
        let values = variables.map { column -> String? in
            guard let column, !cells.cells[column].range.isEmpty else { return nil }
            return cells.text(column, of: records.buffer)
        }
        return member(username, values: values)
    }

    private func member(_ username: Username, values: [String?]) -> AudienceMember {
        AudienceMember(
            username: username, values: values,
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

    /// A comma in a list of names is most often a table with the wrong extension.
    private func help(for fault: UsernameFault) -> String? {
        guard case .forbidden(",") = fault, case .names = layout else { return nil }
        return "If the file is a table, its name must end in .csv."
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
