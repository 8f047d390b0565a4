import PostgreSQLClient
import Storage

/// Copies tables of another store into this one, with the columns that both have.
struct TableCopy {
    private struct Column {
        let name: String
        let type: ColumnType
    }

    fileprivate enum ColumnType: String {
        case bigint
        case smallint
        case boolean
        case text
        case bytea
    }

    /// The key of a run, which each store gives.
    struct Key {
        let column: String
        let there: Int64
        let here: Int64
    }

    let source: any StoreSource
    let db: PostgreSQLConnection
    /// Gets the number of rows that were written now and then, and ends the copy by throwing.
    let wrote: (_ rows: Int) throws -> Void

    /// Copies the rows of one run, or of all.
    ///
    /// - Parameters:
    ///   - part: where they are written to, if that is not the table itself.
    ///   - contents: this store's keys of contents, by the source's.
    func write(
        _ table: String, into part: String? = nil, of run: Key? = nil,
        contents: [Int64: Int64] = [:]
    ) throws {
        let columns = try columns(of: table).filter { $0.name != run?.column }
        let names = columns.map(\.name)
        let query = """
            SELECT \(names.joined(separator: ", ")) FROM \(table)
            \(run.map { "WHERE \($0.column) = ?1" } ?? "")
            """
        let own = run.map { [$0.column] } ?? []
        _ = try source.read { old in
            try db.copy(into: part ?? table, columns: own + names) { copy in
                var count = 0
                try old.stream(query, run.map { [$0.there] } ?? []) { row in
                    copy.beginRow(own.count + columns.count)
                    if let run { copy.append(run.here) }
                    for (index, column) in columns.enumerated() {
                        if column.name == "content" {
                            copy.append(try row.optionalInt64(index).flatMap { contents[$0] })
                        } else {
                            try copy.append(row, index, as: column.type)
                        }
                    }
                    count += 1
                    guard count == TransactionLimit.rows else { return }
                    try wrote(count)
                    count = 0
                }
                try wrote(count)
            }
        }
    }

    private func columns(of table: String) throws -> [Column] {
        let known = try source.columns(of: table)
        return try db.rows(
            """
            SELECT attname::text, format_type(atttypid, NULL) FROM pg_attribute
            WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum
            """, [table]
        ).compactMap { row in
            let name = try row.text(0)
            guard known.contains(name) else { return nil }
            guard let type = ColumnType(rawValue: try row.text(1)) else { throw DamagedValue() }
            return Column(name: name, type: type)
        }
    }
}

extension BinaryCopy {
    fileprivate mutating func append(
        _ row: any SQLRow, _ column: Int, as type: TableCopy.ColumnType
    ) throws {
        switch type {
        case .bigint: append(try row.optionalInt64(column))
        case .smallint: append(int2: try row.optionalInt(column).map { Int16(clamping: $0) })
        case .boolean: append(row.isNull(column) ? nil : try row.bool(column))
        case .text: append(try row.optionalText(column).map(StoredText.encode))
        case .bytea: append(try row.optionalBytes(column))
        }
    }
}
