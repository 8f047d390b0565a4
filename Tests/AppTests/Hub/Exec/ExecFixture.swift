import Foundation
import TestSupport
import Testing

struct ExecFixture {
    let workspace: Workspace
    /// The folder for temporary folders; its path contains no links.
    let temporary: TemporaryFolder

    init(_ files: [String: String] = [:]) throws {
        workspace = try Workspace(files)
        temporary = try TemporaryFolder()
    }

    /// `HUBSEND` is the binary, for commands that call hubsend.
    func environment(_ more: [String: String] = [:]) -> [String: String] {
        ["TMPDIR": temporary.path, "HUBSEND": Binary.path].merging(more) { $1 }
    }

    /// - Parameters:
    ///   - command: the arguments after `--`.
    ///   - options: the arguments before `--`.
    func run(
        _ command: [String], options: [String] = [], variables: [String: String] = [:],
        input: String = "", status: Int32? = nil
    ) async throws -> ChildProcess.Result {
        try await Binary.run(
            ["hub", "exec"] + options + ["--"] + command, in: workspace,
            environment: environment(variables), input: input, status: status)
    }

    /// Starts a shell script as the command, and waits for the first line that it prints.
    ///
    /// - Parameter script: prints a line when the test can continue.
    /// - Returns: the process, and the words of the line.
    func start(_ script: String) async throws -> (running: ChildProcess, words: [String]) {
        let running = try await Binary.start(
            ["hub", "exec", "--", "sh", "-c", script], in: workspace, environment: environment())
        let line = try await running.firstLine()
        return (running, line.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    func folders() throws -> [String] {
        try temporary.contents().filter { $0.hasPrefix("hubsend-exec-") }
    }

    /// nil if the process has ended.
    static func parent(of process: String) throws -> Int32? {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return status.split(separator: "\n").first { $0.hasPrefix("PPid:") }
            .flatMap { Int32($0.dropFirst(5).trimmingCharacters(in: .whitespaces)) }
    }

    /// Whether the process exists; zombies are included.
    static func isThere(_ process: String) throws -> Bool {
        FileManager.default.fileExists(atPath: "/proc/\(process)")
    }
}
