import CampaignCore

struct CSVHeader: Sendable {
    /// The default column; a file's entry can specify a different one.
    static let usernameColumn = "username"
    /// The common headings, most likely first, in lower case and without blanks, `_` and `-`.
    static let headings = [
        "usernames", "userid", "userids", "user", "users", "uid", "benutzername", "nutzername",
        "login", "logins", "customerid", "memberid", "account", "accounts", "customer",
        "customers", "member", "members", "recipient", "recipients", "id", "ids", "email",
        "emails", "mail", "name", "names",
    ]
    static let longestHeading = 16
    /// A header with more columns is refused as a mistake.
    private static let most = 1_000

    /// The names as ``Blanks/column(_:)`` normalizes them; empty for columns without a name.
    let columns: [String]
    let username: Int
    /// The length of the column's name in bytes.
    let usernameLength: Int
    /// The number of columns up to the last named one; spreadsheets may export empty columns after
    /// it.
    let width: Int

    /// The variable `username` works in every table, even if the column has another name.
    func column(of variable: String) -> Int? {
        columns.firstIndex(of: variable) ?? (variable == Self.usernameColumn ? username : nil)
    }

    /// Skips a line that only tells Excel the separator.
    ///
    /// All errors are final, including the one for an empty file.
    init(
        _ records: inout RecordReader, of file: AudienceFile
    ) throws(AudienceFileError) {
        do throws(AudienceFileError) {
            self = try Self.read(&records, of: file)
        } catch {
            var problem = error
            problem.isFinal = true
            throw problem
        }
    }

    private init(columns: [String], username: Int) {
        self.columns = columns
        self.username = username
        usernameLength = columns[username].utf8.count
        width = (columns.lastIndex { !$0.isEmpty } ?? -1) + 1
    }

    private static func read(
        _ records: inout RecordReader, of file: AudienceFile
    ) throws(AudienceFileError) -> CSVHeader {
        let usernameColumn = file.usernameColumn
        guard let record = try first(&records) else {
            throw AudienceFileError(
                file: file.shownPath, range: TextRange(line: 1, column: 1), rule: .csvHeader,
                message: "The file is empty; a CSV file requires a header row.",
                help:
                    "Export it again; the first line must name the columns, and one of them must be \"\(usernameColumn.shortened)\"."
            )
        }
        let cells = records.row
        let columns = cells.cells.indices.map { Blanks.column(cells.text($0, of: records.buffer)) }
        guard columns.count <= most else {
            throw records.problem(
                .csvHeader, at: record, in: record, "The header has more than \(most) columns.")
        }
        for (index, column) in columns.enumerated() where !column.isEmpty {
            guard let first = columns[..<index].firstIndex(of: column) else { continue }
            throw records.problem(
                .csvHeader, at: cells.cells[index].range, in: record,
                "The column \"\(audience: column.shortened)\" appears twice, as columns \(first + 1) and \(index + 1).",
                help: "Rename or delete one of them.")
        }
        guard let username = columns.firstIndex(of: usernameColumn) else {
            if let line = records.lineNaming(usernameColumn) {
                throw records.problem(
                    .csvHeader, at: record, in: record,
                    "The header has no column \"\(usernameColumn.shortened)\".",
                    help: line == records.line + 1
                        ? "Line \(line) has this column; delete the line above it."
                        : "Line \(line) has this column; delete the lines above it.")
            }
            throw records.problem(
                .csvHeader, at: record, in: record,
                "The header has no column \"\(usernameColumn.shortened)\".",
                help: cells.areQuotedTogether(record, of: records.buffer)
                    ? CSVRecord.adviceOnQuotedRows : help(for: columns, of: file))
        }
        return CSVHeader(columns: columns, username: username)
    }

    private static func first(
        _ records: inout RecordReader
    ) throws(AudienceFileError) -> Range<Int>? {
        guard let record = try records.next() else { return nil }
        let tellsExcel = CSVSeparator.declared(in: records.buffer[record]) != nil
        return tellsExcel ? try records.next() : record
    }

    private static func help(for columns: [String], of file: AudienceFile) -> DiagnosticMessage {
        if columns.count == 1,
            let other = CSVSeparator.allCases.first(where: {
                columns[0].utf8.contains($0.byte)
            })
        {
            return
                "The columns seem to be separated by \(other.rawValue)s; write \"separator: \(other.rawValue)\", or delete \"separator\" to have it detected."
        }
        if columns.count == 1, columns[0].contains("|") {
            return "The columns seem to be separated by vertical bars; separate them with commas."
        }
        let wanted = plain(file.usernameColumn)
        let isNear = { (column: String) in
            NearestName.nearest(to: plain(column), among: [wanted]) != nil
        }
        let likely =
            columns.first(where: isNear)
            ?? headings.lazy.compactMap { word in columns.first { plain($0) == word } }.first
        guard let likely else {
            return
                "The first line must name the columns, and one of them must be \"\(file.usernameColumn.shortened)\". If the file has no header, add one; if the column has another name, set \"username_column\"."
        }
        let key: DiagnosticMessage = "username_column: \"\(audience: likely.shortened)\""
        var others = file.options
        others.usernameColumn = nil
        return others == AudienceFileOptions()
            ? "If the usernames are in \"\(audience: likely.shortened)\", write: - { path: \"\(path: file.path.shortened)\", \(key) }"
            : "If the usernames are in \"\(audience: likely.shortened)\", add to the file's entry: \(key)"
    }

    /// Removes differences in case, blanks, `_` and `-`, which tools write differently.
    static func plain(_ column: String) -> String {
        column.lowercased().filter { !" _-".contains($0) }
    }
}
