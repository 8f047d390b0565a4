import FoundationEssentials
import GRDB
package import Storage

extension Database: SQLConnection {
    package var dialect: SQLDialect { .sqlite }

    /// The file has one writer at a time.
    package func lock(_ lock: TransactionLock, _ name: String, isShared: Bool) {}

    @discardableResult
    package func run(_ sql: String, _ values: [any SQLBindable]) throws -> Int {
        try prepared(sql, values).run()
        return changesCount
    }

    package func stream(
        _ sql: String, _ values: [any SQLBindable], _ body: (any SQLRow) throws -> Void
    ) throws {
        try prepared(sql, values).forEachRow { try body(SQLiteRow(row: $0)) }
    }

    package func rows<Value>(
        _ sql: String, _ values: [any SQLBindable], _ read: (any SQLRow) throws -> Value
    ) throws -> [Value] {
        var found: [Value] = []
        try stream(sql, values) { found.append(try read($0)) }
        return found
    }

    /// A statement with the first values, as many as it takes.
    func prepared(
        _ sql: String, _ values: [any SQLBindable]
    ) throws -> NativeStatement {
        let statement = try NativeStatement(sql, self)
        try statement.bind(
            StatementArguments(
                values.prefix(statement.parameterCount).map(\.sqlValue.databaseValue)))
        return statement
    }
}

struct SQLiteRow: SQLRow {
    let row: NativeRow

    func isNull(_ column: Int) -> Bool { row.isNull(Int32(column)) }

    func int64(_ column: Int) throws -> Int64 {
        guard row.isInteger(Int32(column)) else { throw DamagedValue() }
        return Int64(row.integer(Int32(column)))
    }

    func bool(_ column: Int) throws -> Bool { try int64(column) != 0 }

    func text(_ column: Int) throws -> String { try row.requiredText(Int32(column)) }

    func bytes(_ column: Int) throws -> [UInt8] {
        guard !isNull(column) else { throw DamagedValue() }
        return row.bytes(Int32(column))
    }
}

extension SQLValue {
    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .integer(let number): number.databaseValue
        case .bool(let bool): bool.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let bytes): bytes.map { Data($0) }.databaseValue
        }
    }
}

extension SQLDialect {
    fileprivate static let sqlite = SQLDialect(
        greatest: "max", least: "min", forUpdate: "", forShare: "", requests: "requests",
        owner: "user",
        platforms: """
            (SELECT group_concat(platform, ' ') FROM
                (SELECT platform FROM run_platforms WHERE run = runs.key ORDER BY position))
            """,
        messageBytes: "length(CAST(n.message AS BLOB))", position: "instr", disowned: "",
        // No views: with one, SQLite looks for less damage (`PRAGMA integrity_check`).
        runContents: "(SELECT run, content FROM notifications WHERE content IS NOT NULL)",
        revokedNotifications: """
            (SELECT run, number FROM notifications n INDEXED BY notifications_revoked
            WHERE revoked IS NOT NULL AND \(PurgeRule.hasContent))
            """,
        sealOfSums: RowSeal.ofSums, isServer: false)
}
