import TestSupport

extension Binary {
    /// Starts it as on a terminal, where it reads its input and shows what it says to people.
    ///
    /// - Parameters:
    ///   - arguments: as typed.
    ///   - terminal: the terminal.
    ///   - workspace: the current folder.
    ///   - environment: variables beside `PATH`.
    /// - Returns: what was started; what it complains of is on the terminal alone.
    /// - Throws: when it cannot be started.
    static func start(
        _ arguments: [String], on terminal: PseudoTerminal, in workspace: Workspace,
        environment: [String: String] = [:]
    ) async throws -> ChildProcess {
        try await start(
            ["-c", #"exec "$0" "$@" <"$TERMINAL" 2>"$TERMINAL""#, Binary.path] + arguments,
            of: "/bin/sh", in: workspace,
            environment: environment.merging(["TERMINAL": terminal.path]) { $1 },
            readRest: terminal.readRest)
    }

    /// Lets it ask on a terminal, answers, and waits for what it says then and for its end.
    ///
    /// - Parameters:
    ///   - arguments: as typed.
    ///   - question: what stands before the keys are pressed.
    ///   - keys: the answer.
    ///   - said: what stands there in the end.
    ///   - workspace: the current folder.
    ///   - environment: variables beside `PATH`.
    /// - Returns: what it ended with.
    /// - Throws: when it does not ask, or does not end.
    static func answer(
        _ arguments: [String], asked question: String, with keys: String, thenSaying said: String?,
        in workspace: Workspace, environment: [String: String] = [:]
    ) async throws -> ChildProcess.Result {
        let terminal = try PseudoTerminal()
        let run = try await start(
            arguments, on: terminal, in: workspace, environment: environment)
        try await run.wait(for: terminal.shows(question))
        try await run.wait(for: terminal.shows("[y/N]"))
        terminal.press(keys)
        let result = try await run.result()
        if let said { await terminal.shows(said).wait() }
        withExtendedLifetime(terminal) {}
        return result
    }
}
