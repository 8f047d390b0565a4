import PostgreSQLClient
import Storage

/// Copies tables of another store into this one, with the columns that both have.
struct TableCopy {
    fileprivate enum ColumnType: String {
        case bigint, smallint, boolean, text, bytea
    }

    let source: any StoreSource
    let db: PostgreSQLConnection
    /// The keys, in each store, of the run whose rows are copied; nil if all rows are copied.
    var run: (there: Int64, here: Int64)?
    /// This store's keys of contents, by the source's keys.
    var contents: [Int64: Int64] = [:]
    /// Receives the number of written rows from time to time, and can end the copy by throwing.
    let wrote: (_ rows: Int) throws -> Void

    func write(_ table: String) throws {
        let key = run == nil ? [] : [table == "runs" ? "key" : "run"]
        let columns = try columns(of: table).filter { !key.contains($0.name) }
        let names = columns.map(\.name)
        let query = """
            SELECT \(names.joined(separator: ", ")) FROM \(table)
            \(key.map { "WHERE \($0) = ?1" }.joined())
            """
        let target = run.map { RunPartitions.table(table, of: $0.here) } ?? table
        _ = try source.read { old in
            try db.copy(into: target, columns: key + names) { copy in
                var count = 0
                try old.stream(query, run.map { [$0.there] } ?? []) { row in
                    copy.beginRow(key.count + columns.count)
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

    private func columns(of table: String) throws -> [(name: String, type: ColumnType)] {
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
            return (name, type)
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
