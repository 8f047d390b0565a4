import CampaignCore
import Crypto
import FoundationEssentials
import GRDB
package import Storage

/// A store in a file whose rows go into another store.
///
/// It holds SQLite's write lock throughout: others can read, and writers are told that the store is
/// in use.
package final class SQLiteSource: StoreSource {
    /// A page ends after this many bytes of values.
    private static let pageBytes = 4 << 20
    /// Columns with another name here, or that are not columns.
    private static let expressions = [
        "username": "user", "has_waves": "waves_digest IS NOT NULL",
    ]

    private let store: SQLiteStore
    private let queue: DatabaseQueue

    /// Takes the lock; the store must stay open.
    package init(
        _ store: SQLiteStore, options: StoreOptions = StoreOptions()
    ) throws(StoreError) {
        self.store = store
        var configuration = Configuration()
        configuration.busyMode = .timeout(options.busyTimeout / .seconds(1))
        configuration.label = "hubsend.source"
        // The transaction lasts as long as the connection.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cell_size_check = ON")
        }
        do {
            queue = try DatabaseQueue(path: store.path, configuration: configuration)
            try queue.inDatabase { db in
                try db.beginTransaction(.immediate)
                try db.execute(sql: "PRAGMA query_only = ON")
            }
        } catch {
            throw StoreError.opening(error, at: store.place)
        }
    }

    package func close() throws(StoreError) {
        do {
            try queue.inDatabase { db in try db.rollback() }
            try queue.close()
        } catch {
            throw StoreError.opening(error, at: store.place)
        }
    }

    /// In name order.
    package func campaigns() throws -> [String] {
        try read { db in
            try String.fetchAll(db, sql: "SELECT DISTINCT campaign FROM runs ORDER BY campaign")
        }
    }

    package func runs() throws -> [SourceRun] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT key, id, state,
                        (SELECT count(*) FROM recipients WHERE run = runs.key)
                    FROM runs ORDER BY key
                    """
            ).map { row in
                guard let id = RunID(row[1] as String) else { throw DamagedValue() }
                return SourceRun(
                    key: row[0], id: id, people: row[3],
                    isStaging: row[2] == RunState.staging.rawValue)
            }
        }
    }

    package func rows(
        of table: TransferTable, run: Int64?, after last: [TransferValue]?
    ) throws -> [[TransferValue]] {
        // A table without an order has one row.
        if last != nil, table.order.isEmpty { return [] }
        return try read { db in
            var conditions: [String] = []
            var arguments = StatementArguments()
            if let run {
                conditions.append(table == .runs ? "key = ?" : "run = ?")
                arguments += [run]
            }
            if let last {
                let places = table.order.map { _ in "?" }.joined(separator: ", ")
                conditions.append("(\(table.order.joined(separator: ", "))) > (\(places))")
                arguments += StatementArguments(
                    table.order.compactMap(table.place).map { last[$0].databaseValue })
            }
            let names = table.columns.map { column in
                let name = Self.expressions[column.name] ?? column.name
                // GRDB reads a text up to its first U+0000.
                return column.kind == .anyText ? "CAST(\(name) AS BLOB)" : name
            }
            var query = "SELECT \(names.joined(separator: ", ")) FROM \(table.name)"
            if !conditions.isEmpty { query += " WHERE " + conditions.joined(separator: " AND ") }
            if !table.order.isEmpty { query += " ORDER BY " + table.order.joined(separator: ", ") }
            let cursor = try Row.fetchCursor(
                db, sql: query + " LIMIT \(SQLiteStore.transactionRows)", arguments: arguments)
            var rows: [[TransferValue]] = []
            var size = 0
            while size < Self.pageBytes, let row = try cursor.next() {
                let values = try zip(table.columns, row.databaseValues).map { column, value in
                    try TransferValue(value, isText: column.kind == .anyText)
                }
                size += values.reduce(0) { $0 + $1.size }
                rows.append(values)
            }
            return rows
        }
    }

    package func content(_ key: Int64) throws -> [UInt8] {
        try read { db in
            let bytes = try Data.fetchOne(
                db.cachedStatement(sql: "SELECT bytes FROM contents WHERE key = ?"),
                arguments: [key])
            guard let bytes else { throw DatabaseError.damaged }
            return Array(bytes)
        }
    }

    package func counts() throws -> [TransferCount] {
        try read { db in
            try TransferTable.all.map { table in
                TransferCount(
                    table: table.name,
                    rows: try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table.name)") ?? 0)
            }
        }
    }

    package func payloadCheckValue() throws -> [UInt8]? {
        try read { db in
            try Data.fetchOne(db, sql: "SELECT check_value FROM payload_key").map(Array.init)
        }
    }

    package func nameHash() throws -> NameHash? {
        try read(store.nameHash)
    }

    package func fingerprint() throws -> String {
        try read { db in
            var hash = SHA256()
            for look in Self.looks {
                let cursor = try Row.fetchCursor(db, sql: look)
                while let row = try cursor.next() {
                    for value in row.databaseValues {
                        // With its length, so that no other values give the same bytes.
                        let text = "\(value)"
                        hash.update(data: Data("\(text.utf8.count) \(text)\n".utf8))
                    }
                }
            }
            return hash.finalize().prefix(16).map { byte in
                String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }.joined()
        }
    }

    /// All small tables, and of large ones the parts that any change affects; the runs' digests
    /// cover the rest.
    private static let looks = [
        "SELECT * FROM runs ORDER BY key",
        "SELECT * FROM run_platforms ORDER BY run, position",
        "SELECT * FROM run_waves ORDER BY run, number",
        "SELECT * FROM wave_claims ORDER BY run, platform, wave",
        "SELECT * FROM run_sums ORDER BY run",
        "SELECT * FROM schedules ORDER BY hub, campaign",
        "SELECT * FROM troubles ORDER BY key",
        "SELECT hex(hash), forgotten FROM forgotten ORDER BY hash",
        "SELECT count(*) FROM recipients WHERE name <> ''",
        "SELECT count(*), count(sealed), count(content), count(revoked) FROM notifications",
        """
        SELECT count(*), sum(state), sum(attempts), max(recorded), sum(recorded % 1000003)
        FROM deliveries
        """,
        """
        SELECT count(*), count(fetched), count(read), max(fetched), max(read) FROM receipts
        """,
        "SELECT count(*), max(told) FROM telemetry",
        "SELECT count(*), max(updated), sum(updated % 1000003) FROM registrations",
    ]

    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try queue.inDatabase(body)
        } catch {
            throw StoreError.opening(error, at: store.place)
        }
    }
}

extension TransferValue {
    /// Throws `DatabaseError.damaged` for a number with a fraction, which no column has.
    fileprivate init(_ value: DatabaseValue, isText: Bool) throws {
        switch value.storage {
        case .null: self = .null
        case .int64(let number): self = .number(number)
        case .string(let text): self = .text(text)
        case .blob(let bytes) where isText: self = .text(String(decoding: bytes, as: UTF8.self))
        case .blob(let bytes): self = .bytes(Array(bytes))
        case .double: throw DatabaseError.damaged
        }
    }

    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .number(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        }
    }

    /// Approximately.
    fileprivate var size: Int {
        switch self {
        case .null, .number: 8
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        }
    }
}
