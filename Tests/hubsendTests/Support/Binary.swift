import Foundation

/// The built `hubsend`, run as a person or cron runs it.
enum Binary {
    /// What a call ended with.
    struct Result: Sendable {
        var status: Int32
        var output: String
        var complaints: String
    }

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
    /// - Throws: when it cannot be started.
    static func run(
        _ arguments: [String], in workspace: Workspace, environment: [String: String] = [:],
        input: String = ""
    ) async throws -> Result {
        await Crowd.shared.enter()
        do {
            let running = try start(
                arguments, in: workspace, environment: environment, input: input)
            let result = try await running.result()
            await Crowd.shared.leave()
            return result
        } catch {
            await Crowd.shared.leave()
            throw error
        }
    }

    /// Starts it.
    static func start(
        _ arguments: [String], in workspace: Workspace, environment: [String: String] = [:],
        input: String = ""
    ) throws -> RunningBinary {
        try RunningBinary(
            path: path, arguments: arguments, folder: workspace.path,
            environment: environment, input: input)
    }
}
