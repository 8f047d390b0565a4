import FoundationEssentials
import GRDB
package import Storage

extension Database: SQLConnection {
    package var dialect: SQLDialect { SQLDialect(isServer: false, sealOfSums: RowSeal.ofSums) }

    package func lock(_ lock: TransactionLock, _ name: String, isShared: Bool) {}

    @discardableResult
    package func run(_ sql: String, _ values: [any SQLBindable]) throws -> Int {
        try prepared(sql, values).run()
        return changesCount
    }

    package func stream(
        _ sql: String, _ values: [any SQLBindable], _ body: (any SQLRow) throws -> Void
    ) throws {
        try prepared(sql, values).forEachRow { try body($0) }
    }

    package func rows<Value>(
        _ sql: String, _ values: [any SQLBindable], _ read: (any SQLRow) throws -> Value
    ) throws -> [Value] {
        var found: [Value] = []
        try stream(sql, values) { found.append(try read($0)) }
        return found
    }

    /// A statement with as many of the values as it has parameters, starting with the first.
    func prepared(_ sql: String, _ values: [any SQLBindable]) throws -> NativeStatement {
        let statement = try NativeStatement(sql, self)
        try statement.bind(values)
        return statement
    }
}

extension SQLValue {
    var databaseValue: DatabaseValue {
        switch self {
        case .integer(let number): number.databaseValue
        case .bool(let bool): bool.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let bytes): bytes.map { Data($0) }.databaseValue
        }
    }
}
