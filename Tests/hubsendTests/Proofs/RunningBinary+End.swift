import Glibc

extension RunningBinary {
    /// Waits for its end; it is killed when the task is cancelled, so that nothing outlives a test that fails.
    ///
    /// - Returns: what it ended with.
    /// - Throws: when its streams cannot be read.
    func end() async throws -> Binary.Result {
        // A task of its own, which is never cancelled: a process that still runs has no status.
        let ending = Task { try await result() }
        return try await withTaskCancellationHandler {
            try await ending.value
        } onCancel: {
            signal(SIGKILL)
        }
    }
}

extension Binary {
    /// Runs it to its end, or until the task is cancelled, which kills it.
    ///
    /// - Parameters:
    ///   - arguments: as typed.
    ///   - workspace: the current folder.
    ///   - environment: variables beside `PATH`.
    /// - Returns: what it ended with.
    /// - Throws: when it cannot be started.
    static func runOrKill(
        _ arguments: [String], in workspace: Workspace, environment: [String: String]
    ) async throws -> Result {
        try await start(arguments, in: workspace, environment: environment).end()
    }
}
