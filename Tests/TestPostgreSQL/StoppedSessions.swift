import Glibc
package import PostgreSQLClient

/// Sessions of a server whose processes are stopped until this object is released.
package final class StoppedSessions: Sendable {
    package let processes: [Int32]

    fileprivate init(_ processes: [Int32]) {
        self.processes = processes
        for process in processes { kill(process, SIGSTOP) }
    }

    deinit {
        for process in processes { kill(process, SIGCONT) }
    }
}

extension PostgreSQLServer {
    /// Stops all sessions of a role, between two transactions.
    package func stopSessions(of role: String) async throws -> StoppedSessions {
        let pool = PostgreSQLPool(
            try await address(as: "postgres"), options: .givingUp(after: .seconds(2)))
        defer { pool.close() }
        func processes(_ condition: String) async throws -> [Int32] {
            try await pool.withConnection { connection in
                try connection.rows(
                    "SELECT pid FROM pg_stat_activity WHERE usename = $1 AND \(condition)", [role]
                ).map { Int32(try $0.int(0)) }
            }
        }
        while true {
            let stopped = StoppedSessions(try await processes("true"))
            do {
                let busy = try await processes("state <> 'idle'")
                if !stopped.processes.isEmpty, busy.isEmpty { return stopped }
            } catch is PostgreSQLError {
                // One of the sessions holds a lock that the server needs for any response.
                continue
            }
        }
    }
}

extension PostgreSQLPoolOptions {
    /// Gives up a session whose server does not answer.
    package static func givingUp(after limit: Duration) -> Self {
        var options = Self()
        options.statementLimit = limit
        options.grace = limit / 5
        return options
    }
}
