import Glibc
package import PostgreSQLClient

/// Sessions of a server whose processes stand still until this object is gone.
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
        while true {
            let stopped = StoppedSessions(
                try await processes(of: role, "usename = $1"))
            let busy = try await processes(of: role, "usename = $1 AND state <> 'idle'")
            if !stopped.processes.isEmpty, busy.isEmpty { return stopped }
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
