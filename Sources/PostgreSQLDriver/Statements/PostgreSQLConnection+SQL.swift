package import PostgreSQLClient
package import Storage

extension PostgreSQLConnection: SQLConnection {
    package var dialect: SQLDialect { .postgreSQL }

    package func lock(_ lock: TransactionLock, _ name: String, isShared: Bool) throws {
        try lock.take(name, isShared: isShared, self)
    }

    @discardableResult
    package func run(_ sql: String, _ values: [any SQLBindable]) throws -> Int {
        try execute(Self.numbered(sql), values.map(\.sqlValue.bindable))
    }

    package func stream(
        _ sql: String, _ values: [any SQLBindable], _ body: (any SQLRow) throws -> Void
    ) throws {
        try forEachRow(Self.numbered(sql), values.map(\.sqlValue.bindable)) {
            try body(ServerRow(row: $0))
        }
    }

    package func rows<Value>(
        _ sql: String, _ values: [any SQLBindable], _ read: (any SQLRow) throws -> Value
    ) throws -> [Value] {
        try rows(Self.numbered(sql), values.map(\.sqlValue.bindable))
            .map { try read(ServerRow(row: $0)) }
    }

    /// Turns `?1` into `$1`.
    private static func numbered(_ sql: String) -> String {
        let (mark, dollar) = (UInt8(ascii: "?"), UInt8(ascii: "$"))
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

extension SQLDialect {
    fileprivate static let postgreSQL = SQLDialect(
        greatest: "greatest", least: "least", forUpdate: "FOR UPDATE", forShare: "FOR SHARE",
        // Those of current members are added when they leave.
        requests: """
            (requests + (SELECT coalesce(sum(m.requests), 0)::bigint FROM run_members m
                WHERE m.run = runs.key))
            """,
        owner: "username",
        platforms: """
            (SELECT string_agg(platform, ' ' ORDER BY position) FROM run_platforms
                WHERE run = runs.key)
            """,
        messageBytes: "octet_length(n.message)", position: "strpos", disowned: ", member = NULL",
        runContents: "run_contents", revokedNotifications: "revoked_notifications",
        sealOfSums: nil, isServer: true)
}
