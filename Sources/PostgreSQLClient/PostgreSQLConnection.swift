/// One connection, used by one thread at a time; its calls block.
package final class PostgreSQLConnection {
    private struct Statement: Hashable {
        let sql: String
        let types: [UInt32]
    }

    /// The maximum number of prepared statements, which protects the server's memory; a large
    /// statement takes 150 KiB.
    private static let mostStatements = 200

    private let line: LibPQConnection
    private var statements: [Statement: String] = [:]
    private var lastStatement = 0
    /// Whether tables have changed since the statements were prepared.
    private var areStatementsOutdated = false
    /// Whether the server keeps the plans of statements (``withKeptPlans(_:)``).
    private var keepsPlans = false
    /// The last error of the current transaction.
    private var problem: PostgreSQLError?
    private let options: PostgreSQLPoolOptions
    private let opened = ContinuousClock.now
    let breaker: LineBreaker

    init(_ line: LibPQConnection, _ options: PostgreSQLPoolOptions) {
        self.line = line
        self.options = options
        breaker = line.breaker
    }

    /// The server's version, such as 150018 for 15.18.
    package var serverVersion: Int { line.serverVersion }

    /// Whether the server's certificate proved its identity.
    package var isServerProven: Bool { line.parameter("sslmode") == "verify-full" }

    /// Runs a statement, which is prepared once per text; returns how many rows it changed or read.
    @discardableResult
    package func execute(
        _ sql: String, _ values: [any PostgreSQLBindable] = []
    ) throws -> Int {
        try run(sql, values).affectedRows
    }

    package func rows(
        _ sql: String, _ values: [any PostgreSQLBindable] = []
    ) throws -> [PostgreSQLRow] {
        let result = try run(sql, values)
        return (0..<result.rowCount).map { PostgreSQLRow(result, $0) }
    }

    package func row(
        _ sql: String, _ values: [any PostgreSQLBindable] = []
    ) throws -> PostgreSQLRow? {
        let result = try run(sql, values)
        return result.rowCount > 0 ? PostgreSQLRow(result, 0) : nil
    }

    /// Runs a statement and processes its rows one by one as they arrive, which bounds memory.
    ///
    /// The body must not use the connection. If it throws, the server cancels the statement, and
    /// the transaction has failed.
    package func forEachRow(
        _ sql: String, _ values: [any PostgreSQLBindable] = [],
        _ body: (PostgreSQLRow) throws -> Void
    ) throws {
        let bound = try BoundValues(values)
        let (name, _) = try prepared(Statement(sql: sql, types: bound.types))
        guard line.begin(prepared: name, bound) else { throw noted(line.problem(of: nil)) }
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
            case .failed where failure == nil: failure = noted(line.problem(of: result))
            default: break
            }
        }
        if let failure { throw failure }
    }

    /// Runs several statements without values; either all of them take effect or none.
    package func executeScript(_ sql: String) throws {
        try script(sql)
    }

    @discardableResult
    func script(_ sql: String) throws -> LibPQResult {
        try checked(line.execute(sql))
    }

    /// The process number of this session at the server.
    package func sessionProcess() throws -> Int32 {
        // This is not prepared, because a pooler may use another session for each statement.
        let result = try script("SELECT pg_backend_pid()")
        let text = unsafe result.value(0, of: 0) { unsafe String(decoding: $0, as: UTF8.self) }
        guard let process = text.flatMap({ Int32($0) }) else {
            throw PostgreSQLError(.unexpectedValue, message: "The session has no process.")
        }
        return process
    }

    /// Copies rows into a table with binary `COPY … FROM STDIN`; returns their number.
    ///
    /// `write` must append exactly the columns' types and must not use the connection. If it
    /// throws, no rows are kept.
    @discardableResult
    package func copy(
        into table: String, columns: [String], _ write: (inout BinaryCopy) throws -> Void
    ) throws -> Int {
        let list = columns.joined(separator: ", ")
        let start = line.execute("COPY \(table) (\(list)) FROM STDIN (FORMAT binary)")
        guard start?.status == .copyIn else { throw noted(line.problem(of: start)) }
        var copy = BinaryCopy { [line] in line.copy($0) }
        do {
            try write(&copy)
        } catch {
            line.endCopy("the rows to copy could not be read")
            while line.next() != nil {}
            throw error
        }
        copy.finish()
        // This is necessary even after a failure, because the end contains the server's reason.
        line.endCopy(nil)
        var count = 0
        var failure: PostgreSQLError?
        while let result = line.next() {
            if result.status == .done {
                count += result.affectedRows
            } else if failure == nil {
                failure = line.problem(of: result)
            }
        }
        if let failure { throw noted(failure) }
        if copy.hasFailed { throw noted(line.problem(of: nil)) }
        return count
    }

    /// Waits for notifications and returns their channels in order; empty after the timeout.
    package func notifications(within timeout: Duration) throws -> [String] {
        let end = ContinuousClock.now + timeout
        while true {
            guard line.takeIn() else { throw noted(line.problem(of: nil)) }
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
        let isAlone = line.transactionStatus == .idle
        do {
            return try checked(line.execute(prepared: name, bound))
        } catch let error as PostgreSQLError where isOld && error.isOfOutdatedStatement {
            areStatementsOutdated = true
            guard isAlone else { throw noted(error.ofOutdatedStatement) }
            return try checked(line.execute(prepared: prepared(statement).name, bound))
        }
    }

    /// The server's name for a statement, and whether it was already prepared.
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
        guard let result, result.status == .done else { throw noted(line.problem(of: result)) }
        return result
    }

    private func noted(_ error: PostgreSQLError) -> PostgreSQLError {
        problem = error
        return error
    }
}

/// The transaction could not begin, so its body has not run.
struct TransactionNotBegun: Error {
    let cause: PostgreSQLError
}

extension PostgreSQLConnection {
    /// Whether the connection can be reused: it is outside a transaction, and the server is not
    /// known to have ended it.
    var isUsable: Bool {
        // The end of a connection arrives in two pieces: first the reason, then the end itself.
        for _ in 0..<4 {
            guard line.waitForInput(milliseconds: 0) else { break }
            guard line.takeIn() else { return false }
        }
        return !line.isBroken && line.transactionStatus == .idle
    }

    var isIdle: Bool { !line.isBroken && line.transactionStatus == .idle }

    /// Whether the connection is so old that a new one may reach a different server or get
    /// different settings for the role.
    var isStale: Bool { opened + options.freshness <= .now }

    /// Runs a body outside a transaction, with plans that the server makes once and keeps.
    ///
    /// Such a plan is not for specific values, and it may have been made when a table was still
    /// small. Therefore, a statement must not use partitioned tables and must find its rows by an
    /// index.
    func withKeptPlans<Value>(_ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
        try keepPlans(true)
        return try body(self)
    }

    private func keepPlans(_ isKept: Bool) throws {
        guard isKept != keepsPlans else { return }
        try executeScript(
            isKept
                ? "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off"
                : "SET plan_cache_mode = force_custom_plan; RESET enable_seqscan")
        keepsPlans = isKept
    }

    /// Gives each statement the time limit for work on a whole run.
    func atLength<Value>(_ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
        try keepPlans(false)
        try limitStatements(options.longLimit)
        defer {
            // If this fails, the connection is broken and not used again.
            if isIdle { try? limitStatements(options.statementLimit) }
        }
        return try body(self)
    }

    private func limitStatements(_ limit: Duration) throws {
        try executeScript("SET statement_timeout = \(limit.wholeMilliseconds)")
        line.limit = limit + options.grace
    }

    /// Runs a body in a transaction; commits it, or rolls it back if the body throws.
    func transaction<Value>(
        _ kind: TransactionKind, _ body: (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
        problem = nil
        let usual = line.limit
        defer { line.limit = usual }
        do {
            try keepPlans(false)
            var begin = kind.begin
            if kind == .longRead || kind == .longWrite {
                line.limit = options.longLimit + options.grace
                begin += "; SET LOCAL statement_timeout = \(options.longLimit.wholeMilliseconds)"
            }
            try executeScript(begin)
        } catch let error as PostgreSQLError {
            throw TransactionNotBegun(cause: error)
        }
        let value: Value
        do {
            value = try body(self)
        } catch {
            let problem = problem
            // If this fails, the connection is not reused and the server rolls back by itself.
            if !line.isBroken { _ = line.execute("ROLLBACK") }
            if let problem, problem.asksForRepetition || problem.isConnectionGone { throw problem }
            throw error
        }
        let result = line.execute("COMMIT")
        guard let result, result.status == .done else {
            let error = line.problem(of: result)
            throw line.isBroken && kind.isWrite ? error.ofCommit : error
        }
        // The command tag with which the server answers the commit of a failed transaction.
        guard result.command == "COMMIT" else {
            throw problem
                ?? PostgreSQLError(
                    .other, message: "The transaction had already failed and was not committed.")
        }
        return value
    }
}

extension TransactionKind {
    var isWrite: Bool { self == .write || self == .longWrite }

    fileprivate var begin: String {
        switch self {
        case .read, .longRead: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        case .write, .longWrite: "BEGIN ISOLATION LEVEL READ COMMITTED"
        }
    }
}

extension PostgreSQLError {
    /// The tables of a prepared statement have changed (0A000), or a pooler has dropped the
    /// statement (26000).
    fileprivate var isOfOutdatedStatement: Bool { sqlState == "0A000" || sqlState == "26000" }
}
