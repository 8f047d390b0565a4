import TestSupport
import Testing

extension Binary {
    /// Starts the program on a terminal, where all its output appears.
    ///
    /// - Parameter environment: besides `PATH`.
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

    /// Runs the program on a terminal until it ends, and expects some text.
    ///
    /// - Parameter environment: besides `PATH`.
    static func run(
        _ arguments: [String], onATerminalShowing texts: [String], in workspace: Workspace,
        environment: [String: String] = [:], status: Int32 = 0
    ) async throws {
        let terminal = try PseudoTerminal()
        let run = try await start(
            arguments, on: terminal, in: workspace, environment: environment)
        #expect(try await run.result().status == status, "\(terminal.text)")
        for text in texts { await terminal.shows(text).wait() }
        withExtendedLifetime(terminal) {}
    }

    /// Starts the program on a terminal, answers its question, and waits for the last text and the
    /// end of the program.
    ///
    /// - Parameters:
    ///   - said: the last text.
    ///   - environment: besides `PATH`.
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
