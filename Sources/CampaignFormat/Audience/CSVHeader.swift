/// The first row of an audience table: which column says what.
struct CSVHeader: Sendable {
    static let usernameColumn = "username"
    /// More columns than this are a mistake.
    private static let most = 1_000

    let columns: [String]
    /// The index of the `username` column.
    let username: Int

    /// Reads the header, which is the first record that is not blank.
    ///
    /// - Throws: ``AudienceFileFault``, always final; an empty file has none.
    init(_ records: inout RecordReader, path: String) throws(AudienceFileFault) {
        do throws(AudienceFileFault) {
            self = try Self.read(&records, path: path)
        } catch {
            var fault = error
            fault.isFinal = true
            throw fault
        }
    }

    private init(columns: [String], username: Int) {
        self.columns = columns
        self.username = username
    }

    private static func read(_ records: inout RecordReader, path: String)
        throws(AudienceFileFault) -> CSVHeader
    {
        guard let record = try records.next() else {
            throw AudienceFileFault(
                file: path, range: TextRange(line: 1, column: 1), rule: .csvHeader,
                message: "The file is empty; a CSV file needs a header row.",
                help: "Write \"username\" in the first line.")
        }
        var cells = CSVCells()
        do {
            try cells.split(record, of: records.buffer)
        } catch {
            throw records.fault(
                .invalidCSV, at: error.range, in: record, error.message, help: error.help)
        }
        let columns = cells.cells.indices.map { cells.text($0, of: records.buffer) }
        guard columns.count <= most else {
            throw records.fault(
                .csvHeader, at: record, in: record, "The header has more than \(most) columns.")
        }
        for (index, column) in columns.enumerated() {
            guard let first = columns[..<index].firstIndex(of: column) else { continue }
            throw records.fault(
                .csvHeader, at: cells.cells[index].range, in: record,
                "The column \"\(column.shortened)\" appears twice, as column \(first + 1) and column \(index + 1).",
                help: "Rename or delete one of them.")
        }
        guard let username = columns.firstIndex(of: usernameColumn) else {
            throw records.fault(
                .csvHeader, at: record, in: record,
                "The header has no column \"\(usernameColumn)\".", help: help(for: columns))
        }
        return CSVHeader(columns: columns, username: username)
    }

    private static func help(for columns: [String]) -> String {
        for (separator, name) in [(";", "semicolons"), ("\t", "tabs"), ("|", "bars")]
        where columns.count == 1 && columns[0].contains(separator) {
            return "Its columns seem to be separated by \(name); separate them with commas."
        }
        if let near = columns.first(where: { isNearly($0) }) {
            return
                "Column names are compared exactly; rename \"\(near.shortened)\" to \"\(usernameColumn)\"."
        }
        return "The first line names the columns; one of them must be \"\(usernameColumn)\"."
    }

    private static func isNearly(_ column: String) -> Bool {
        NearestName.nearest(to: column.filter { $0 != " " }, among: [usernameColumn]) != nil
    }
}
