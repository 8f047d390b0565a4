import Foundation
import TestSupport

/// The built `hubsend`, run as a person or cron runs it.
enum Binary {
    /// The executable stands beside the test bundle.
    static var path: String {
        Bundle.main.bundleURL.appendingPathComponent("hubsend").path
    }

    /// Runs it to its end, with no terminal.
    ///
    /// - Parameters:
    ///   - arguments: as typed.
    ///   - workspace: the current folder.
    ///   - environment: variables beside `PATH`.
    ///   - input: what stands on stdin.
    /// - Returns: what it ended with.
    /// - Throws: when it cannot be started, or does not end.
    static func run(
        _ arguments: [String], in workspace: Workspace, environment: [String: String] = [:],
        input: String = ""
    ) async throws -> ChildProcess.Result {
        try await start(arguments, in: workspace, environment: environment, input: input).result()
    }

    /// Starts it, or another program that starts it in turn.
    ///
    /// - Parameters:
    ///   - arguments: as typed.
    ///   - program: the program.
    ///   - workspace: the current folder.
    ///   - environment: variables beside `PATH`.
    ///   - input: what stands on stdin.
    /// - Returns: what was started.
    /// - Throws: when it cannot be started.
    static func start(
        _ arguments: [String], of program: String = Binary.path, in workspace: Workspace,
        environment: [String: String] = [:], input: String = ""
    ) async throws -> ChildProcess {
        try await ChildProcess.start(
            program, arguments, in: workspace.path,
            environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }, input: input)
    }
}
