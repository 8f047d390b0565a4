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
    ///   - folder: another current folder, relative to the workspace or absolute; nil: the workspace.
    ///   - environment: variables beside `PATH`.
    ///   - input: what stands on stdin.
    /// - Returns: what it ended with.
    /// - Throws: when it cannot be started, or does not end.
    static func run(
        _ arguments: [String], in workspace: Workspace, from folder: String? = nil,
        environment: [String: String] = [:], input: String = ""
    ) async throws -> ChildProcess.Result {
        try await start(
            arguments, in: workspace, from: folder, environment: environment, input: input
        ).result()
    }

    /// Starts it, or another program that starts it in turn.
    ///
    /// - Parameters:
    ///   - arguments: as typed.
    ///   - program: the program.
    ///   - workspace: the current folder.
    ///   - folder: another current folder, relative to the workspace or absolute; nil: the workspace.
    ///   - environment: variables beside `PATH`.
    ///   - input: what stands on stdin.
    ///   - readRest: reads what it left behind elsewhere, before its end is told.
    /// - Returns: what was started.
    /// - Throws: when it cannot be started.
    static func start(
        _ arguments: [String], of program: String = Binary.path, in workspace: Workspace,
        from folder: String? = nil, environment: [String: String] = [:], input: String = "",
        readRest: @escaping @Sendable () -> Void = {}
    ) async throws -> ChildProcess {
        let folder = folder.map { $0.hasPrefix("/") ? $0 : workspace.file($0) }
        return try await ChildProcess.start(
            program, arguments, in: folder ?? workspace.path,
            environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }, input: input,
            readRest: readRest)
    }
}
