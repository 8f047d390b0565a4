import Foundation
import TestSupport
import Testing

/// The built `hubsend`, run as a person or cron would run it.
enum Binary {
    /// The executable is next to the test bundle.
    static var path: String {
        Bundle.main.bundleURL.appendingPathComponent("hubsend").path
    }

    /// Runs the program to its end, without a terminal.
    ///
    /// - Parameters:
    ///   - folder: the current folder, relative to the workspace or absolute; nil means the
    ///     workspace.
    ///   - environment: the variables in addition to `PATH`.
    ///   - status: the expected exit code; nil if the test checks it.
    @discardableResult
    static func run(
        _ arguments: [String], in workspace: Workspace, from folder: String? = nil,
        environment: [String: String] = [:], input: String = "", status: Int32? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ChildProcess.Result {
        let result = try await start(
            arguments, in: workspace, from: folder, environment: environment, input: input
        ).result()
        if let status {
            #expect(
                result.status == status,
                "\(arguments.joined(separator: " ")): \(result.output)\(result.complaints)",
                sourceLocation: sourceLocation)
        }
        return result
    }

    /// Starts the program, or another program that starts it.
    ///
    /// - Parameters:
    ///   - folder: the current folder, relative to the workspace or absolute; nil means the
    ///     workspace.
    ///   - environment: the variables in addition to `PATH`.
    ///   - readRest: reads the remaining output before the end is reported.
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
