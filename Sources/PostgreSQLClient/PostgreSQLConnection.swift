/// One connection; it is used on one thread at a time, and all its calls block that thread.
package final class PostgreSQLConnection {
    private struct Statement: Hashable {
        let sql: String
        let types: [UInt32]
    }

    /// More than the program has; what makes statements without end must not fill the server's memory.
    private static let mostStatements = 400

    private let line: LibPQConnection
    private var statements: [Statement: String] = [:]
    private var lastStatement = 0
    /// Tables have changed under statements that were prepared for them.
    private var areStatementsOutdated = false
    /// The last error of the transaction that is under way.
    private var fault: PostgreSQLError?
    /// What lets other threads end a call on this connection.
    let breaker: LineBreaker

    /// Takes over a connection that nobody else uses.
    init(_ line: LibPQConnection) {
        self.line = line
        breaker = line.breaker()
    }

    /// The server's version, as 150018 for 15.18.
    package var serverVersion: Int { line.serverVersion }

    /// Whether the server had to prove, by its certificate, that it is the host of the address.
    package var isServerProven: Bool { line.parameter("sslmode") == "verify-full" }

    /// Runs a statement; it is prepared, and kept by its text for the next time.
    ///
    /// - Parameters:
    ///   - sql: one statement, with `$1`, `$2` and so on for values.
    ///   - values: as ``PostgreSQLBindable`` says.
    /// - Returns: how many rows were changed, or read.
    /// - Throws: ``PostgreSQLError``.
    @discardableResult
    package func execute(
        _ sql: String, _ values: [any PostgreSQLBindable] = []
    ) throws -> Int {
        try run(sql, values).affectedRows
    }

    /// Runs a statement, and returns all its rows.
    ///
    /// - Throws: ``PostgreSQLError``.
    package func rows(
        _ sql: String, _ values: [any PostgreSQLBindable] = []
    ) throws -> [PostgreSQLRow] {
        let result = try run(sql, values)
        return (0..<result.rowCount).map { PostgreSQLRow(result, $0) }
    }

    /// Runs a statement, and returns its first row.
    ///
    /// - Throws: ``PostgreSQLError``.
    package func row(
        _ sql: String, _ values: [any PostgreSQLBindable] = []
    ) throws -> PostgreSQLRow? {
        let result = try run(sql, values)
        return result.rowCount > 0 ? PostgreSQLRow(result, 0) : nil
    }

    /// Runs a statement, and takes its rows one by one as they arrive, so that memory does not grow with them.
    ///
    /// - Parameter body: takes a row; it must not use the connection. When it throws, the server ends the statement, and a
    ///   transaction that this is in has failed.
    /// - Throws: ``PostgreSQLError``; what `body` throws.
    package func forEachRow(
        _ sql: String, _ values: [any PostgreSQLBindable] = [],
        _ body: (PostgreSQLRow) throws -> Void
    ) throws {
        let bound = try BoundValues(values)
        let (name, _) = try prepared(Statement(sql: sql, types: bound.types))
        guard line.begin(prepared: name, bound) else { throw noted(line.fault(of: nil)) }
        var failure: (any Error)?
        while let result = line.next() {
            switch result.status {
            case .singleRow where failure == nil:
                do {
                    try body(PostgreSQLRow(result, 0))
                } catch {
                    failure = error
                    breaker.cancel()
                }
            case .failed where failure == nil: failure = noted(line.fault(of: result))
            default: break
            }
        }
        if let failure { throw failure }
    }

    /// Runs several statements without values, as for a schema: all or, where one fails, none.
    ///
    /// - Throws: ``PostgreSQLError``.
    package func executeScript(_ sql: String) throws {
        _ = try checked(line.execute(sql))
    }

    /// Copies rows into a table by binary `COPY … FROM STDIN`.
    ///
    /// - Parameters:
    ///   - table: its name, as it stands in SQL.
    ///   - columns: their names, as they stand in SQL.
    ///   - write: appends the rows, of exactly the columns' types; it must not use the connection. When it throws, none is
    ///     kept.
    /// - Returns: how many rows were copied.
    /// - Throws: ``PostgreSQLError``; what `write` throws.
    @discardableResult
    package func copy(
        into table: String, columns: [String], _ write: (inout BinaryCopy) throws -> Void
    ) throws -> Int {
        let list = columns.joined(separator: ", ")
        let start = line.execute("COPY \(table) (\(list)) FROM STDIN (FORMAT binary)")
        guard start?.status == .copyIn else { throw noted(line.fault(of: start)) }
        var copy = BinaryCopy { [line] in line.copy($0) }
        do {
            try write(&copy)
        } catch {
            line.endCopy("what was to be copied could not be read")
            while line.next() != nil {}
            throw error
        }
        copy.finish()
        // Also behind a failure: the server's reason comes with the end.
        line.endCopy(nil)
        var count = 0
        var failure: PostgreSQLError?
        while let result = line.next() {
            if result.status == .done {
                count += result.affectedRows
            } else if failure == nil {
                failure = line.fault(of: result)
            }
        }
        if let failure { throw noted(failure) }
        if copy.hasFailed { throw noted(line.fault(of: nil)) }
        return count
    }

    /// Waits for notifications of channels that this connection listens to.
    ///
    /// - Parameter timeout: how long to wait if none has come yet.
    /// - Returns: the channels of all that came, in their order; empty when the time is over.
    /// - Throws: ``PostgreSQLError`` when the connection broke.
    package func notifications(within timeout: Duration) throws -> [String] {
        let end = ContinuousClock.now + timeout
        while true {
            guard line.takeIn() else { throw noted(line.fault(of: nil)) }
            var channels: [String] = []
            while let channel = line.notification() { channels.append(channel) }
            let left = end - .now
            guard channels.isEmpty, left > .zero else { return channels }
            let milliseconds = min(left / .milliseconds(1), 3_600_000).rounded(.up)
            _ = line.waitForInput(milliseconds: Int32(milliseconds))
        }
    }

    private func run(
        _ sql: String, _ values: [any PostgreSQLBindable]
    ) throws -> LibPQResult {
        let bound = try BoundValues(values)
        let statement = Statement(sql: sql, types: bound.types)
        let (name, isOld) = try prepared(statement)
        let isAlone = line.standing == .idle
        do {
            return try checked(line.execute(prepared: name, bound))
        } catch let error as PostgreSQLError where isOld && error.isOfOutdatedStatement {
            areStatementsOutdated = true
            guard isAlone else { throw noted(error.ofOutdatedStatement) }
            return try checked(line.execute(prepared: prepared(statement).name, bound))
        }
    }

    /// The name under which the server knows a statement, and whether it knew it before.
    private func prepared(_ statement: Statement) throws -> (name: String, isOld: Bool) {
        if areStatementsOutdated || statements.count >= Self.mostStatements {
            _ = try checked(line.execute("DEALLOCATE ALL"))
            statements = [:]
            areStatementsOutdated = false
        }
        if let name = statements[statement] { return (name, true) }
        lastStatement += 1
        let name = "s\(lastStatement)"
        _ = try checked(line.prepare(name, statement.sql, statement.types))
        statements[statement] = name
        return (name, false)
    }

    private func checked(_ result: LibPQResult?) throws -> LibPQResult {
        guard let result, result.status == .done else { throw noted(line.fault(of: result)) }
        return result
    }

    private func noted(_ error: PostgreSQLError) -> PostgreSQLError {
        fault = error
        return error
    }
}

/// A transaction could not begin, so that its body has not run.
struct TransactionNotBegun: Error {
    let cause: PostgreSQLError
}

extension PostgreSQLConnection {
    /// Whether it can be given to the next call: it is in no transaction, and the server has not ended it.
    ///
    /// Asks nobody; what came meanwhile is taken in.
    var isUsable: Bool {
        // What ends a connection comes in two pieces, the reason and the end.
        for _ in 0..<4 where line.waitForInput(milliseconds: 0) {
            guard line.takeIn() else { return false }
        }
        return !line.isBroken && line.standing == .idle
    }

    /// Whether it was left as it was found.
    var isIdle: Bool { !line.isBroken && line.standing == .idle }

    /// Runs a body in a transaction, and commits it; when the body throws, nothing of it stays.
    ///
    /// - Throws: ``TransactionNotBegun``; ``PostgreSQLError``; what the body throws, if not an error of the server is behind
    ///   it that asks for a repetition.
    func transaction<Value>(
        _ kind: TransactionKind, _ body: (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
        fault = nil
        do {
            try executeScript(kind.begin)
        } catch let error as PostgreSQLError {
            throw TransactionNotBegun(cause: error)
        }
        let value: Value
        do {
            value = try body(self)
        } catch {
            let fault = fault
            // Where this fails, the connection is not used again, and the server rolls back by itself.
            if !line.isBroken { _ = line.execute("ROLLBACK") }
            if let fault, fault.asksForRepetition || fault.isConnectionGone { throw fault }
            throw error
        }
        let result = line.execute("COMMIT")
        guard let result, result.status == .done else {
            let error = line.fault(of: result)
            throw line.isBroken && kind == .write ? error.ofCommit : error
        }
        // The server's answer to the commit of a transaction that has failed.
        guard result.command == "COMMIT" else {
            throw fault
                ?? PostgreSQLError(
                    .other, message: "A transaction was to be committed that had failed before.")
        }
        return value
    }
}

extension TransactionKind {
    fileprivate var begin: String {
        switch self {
        case .read: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        case .write: "BEGIN ISOLATION LEVEL READ COMMITTED"
        }
    }
}

extension PostgreSQLError {
    /// The tables behind a prepared statement have changed (0A000), or somebody between here and the server has dropped it (26000).
    fileprivate var isOfOutdatedStatement: Bool { sqlState == "0A000" || sqlState == "26000" }
}
