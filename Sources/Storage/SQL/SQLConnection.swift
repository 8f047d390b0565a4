/// A connection to a store's database, used within one transaction or call.
///
/// Statements are written once for all databases: parameters are `?1`, `?2` and so on, and
/// ``dialect`` provides the differences. Statements are prepared and cached by their text, so the
/// text must not contain values.
package protocol SQLConnection: RunRows {
    var dialect: SQLDialect { get }

    /// Waits until nobody else holds this lock, if the database allows several writers at once.
    ///
    /// - Parameter isShared: whether others can share the lock without waiting.
    func lock(_ lock: TransactionLock, _ name: String, isShared: Bool) throws

    /// Runs a statement and returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ values: [any SQLBindable]) throws -> Int

    /// Reads rows as they arrive, in bounded memory; a row is valid only during the call of `body`,
    /// which must not use the connection.
    func stream(
        _ sql: String, _ values: [any SQLBindable], _ body: (any SQLRow) throws -> Void) throws

    /// Reads a few rows; a row is valid only during the call of `read`.
    func rows<Value>(
        _ sql: String, _ values: [any SQLBindable], _ read: (any SQLRow) throws -> Value
    ) throws -> [Value]
}

extension SQLConnection {
    package func row<Value>(
        _ sql: String, _ values: [any SQLBindable] = [], _ read: (any SQLRow) throws -> Value
    ) throws -> Value? {
        try rows(sql, values, read).first
    }

    package func hasRow(_ sql: String, _ values: [any SQLBindable] = []) throws -> Bool {
        try row(sql, values) { _ in true } ?? false
    }

    @discardableResult
    package func run(_ sql: String) throws -> Int { try run(sql, []) }

    package func rows<Value>(
        _ sql: String, _ read: (any SQLRow) throws -> Value
    ) throws -> [Value] {
        try rows(sql, [], read)
    }

    /// Waits for other writers of a run, and keeps them out until the transaction ends.
    package func hold(_ run: Int64) throws {
        guard !dialect.forUpdate.isEmpty else { return }
        _ = try hasRow("SELECT 1 FROM runs WHERE key = ?1 \(dialect.forUpdate)", [run])
    }
}

/// A row of a result; columns are numbered from 0.
///
/// All calls throw ``DamagedValue`` or the database's own error for an unexpected null or a value
/// of another type.
package protocol SQLRow {
    func isNull(_ column: Int) -> Bool
    func int64(_ column: Int) throws -> Int64
    func bool(_ column: Int) throws -> Bool
    func text(_ column: Int) throws -> String
    func bytes(_ column: Int) throws -> [UInt8]
}

extension SQLRow {
    package func int(_ column: Int) throws -> Int { Int(try int64(column)) }

    package func optionalInt(_ column: Int) throws -> Int? {
        isNull(column) ? nil : try int(column)
    }

    package func optionalInt64(_ column: Int) throws -> Int64? {
        isNull(column) ? nil : try int64(column)
    }

    package func optionalText(_ column: Int) throws -> String? {
        isNull(column) ? nil : try text(column)
    }

    package func optionalBytes(_ column: Int) throws -> [UInt8]? {
        isNull(column) ? nil : try bytes(column)
    }

    /// Reads one of a few fixed words, such as a platform or a run's state.
    package func word<Word: RawRepresentable<String>>(_ column: Int) throws -> Word {
        guard let word = Word(rawValue: try text(column)) else { throw DamagedValue() }
        return word
    }
}
