package import PostgreSQLClient
package import Storage

extension PostgreSQLConnection: SQLConnection {
    package var dialect: SQLDialect { SQLDialect(isServer: true) }

    package func lock(_ lock: TransactionLock, _ name: String, isShared: Bool) throws {
        try execute(
            "SELECT pg_advisory_xact_lock\(isShared ? "_shared" : "")(\(Self.lockKey))",
            [Self.lockFamily + lock.rawValue, name])
    }

    /// Takes a lock unless somebody else holds it.
    func tryLock(_ lock: TransactionLock, _ name: String) throws -> Bool {
        try hasRow(
            "SELECT 1 WHERE pg_try_advisory_xact_lock(\(Self.lockKey))",
            [Self.lockFamily + lock.rawValue, name])
    }

    /// Distinguishes these locks from others on the same server.
    private static let lockFamily = 0x6875_6200
    /// Occasionally, different names share a lock.
    private static let lockKey = "$1::int, hashtext(concat_ws(' ', current_schema(), $2))"

    @discardableResult
    package func run(_ sql: String, _ values: [any SQLBindable]) throws -> Int {
        try execute(Self.numbered(sql), values.map { $0.sqlValue.bindable })
    }

    package func stream(
        _ sql: String, _ values: [any SQLBindable], _ body: (any SQLRow) throws -> Void
    ) throws {
        try forEachRow(Self.numbered(sql), values.map { $0.sqlValue.bindable }) {
            try body(ServerRow(row: $0))
        }
    }

    package func rows<Value>(
        _ sql: String, _ values: [any SQLBindable], _ read: (any SQLRow) throws -> Value
    ) throws -> [Value] {
        try rows(Self.numbered(sql), values.map { $0.sqlValue.bindable })
            .map { try read(ServerRow(row: $0)) }
    }

    /// Turns `?1` into `$1`.
    private static func numbered(_ sql: String) -> String {
        let (mark, dollar) = (UInt8(ascii: "?"), UInt8(ascii: "$"))
        guard sql.utf8.contains(mark) else { return sql }
        return String(decoding: sql.utf8.map { $0 == mark ? dollar : $0 }, as: UTF8.self)
    }
}

struct ServerRow: SQLRow {
    let row: PostgreSQLRow

    func isNull(_ column: Int) -> Bool { row.isNull(column) }
    func int64(_ column: Int) throws -> Int64 { try row.int64(column) }
    func bool(_ column: Int) throws -> Bool { try row.bool(column) }
    func text(_ column: Int) throws -> String { StoredText.decode(try row.text(column)) }
    func bytes(_ column: Int) throws -> [UInt8] { try row.bytes(column) }
}

extension SQLValue {
    fileprivate var bindable: any PostgreSQLBindable {
        switch self {
        case .integer(let number): number
        case .bool(let bool): bool
        case .text(let text): text.map(StoredText.encode)
        case .bytes(let bytes): bytes
        }
    }
}
