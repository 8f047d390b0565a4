import Foundation
import TestSupport

/// What tests of `hubsend hub exec` have in common: a workspace, and a folder for temporary files.
struct ExecFixture {
    let workspace: Workspace
    /// Where temporary folders are made, without links on the way.
    let temporary: TemporaryFolder

    init(_ files: [String: String] = [:]) throws {
        workspace = try Workspace(files)
        temporary = try TemporaryFolder()
    }

    /// The variables of a call; `HUBSEND` is the binary, for commands that call it in turn.
    func environment(_ more: [String: String] = [:]) -> [String: String] {
        ["TMPDIR": temporary.path, "HUBSEND": Binary.path].merging(more) { $1 }
    }

    /// Runs a command to its end.
    ///
    /// - Parameters:
    ///   - command: the command behind `--`.
    ///   - options: what stands before it.
    ///   - variables: beside those of every call.
    ///   - input: what stands on stdin.
    /// - Returns: what it ended with.
    /// - Throws: when it cannot be started.
    func run(
        _ command: [String], options: [String] = [], variables: [String: String] = [:],
        input: String = ""
    ) async throws -> ChildProcess.Result {
        try await Binary.run(
            ["hub", "exec"] + options + ["--"] + command, in: workspace,
            environment: environment(variables), input: input)
    }

    /// Starts a shell script as the command, and waits for the first line that it prints.
    ///
    /// - Parameter script: prints a line once it is where the test wants it.
    /// - Returns: what was started, and the line's words.
    /// - Throws: when it ends before that.
    func start(_ script: String) async throws -> (running: ChildProcess, words: [String]) {
        let running = try await Binary.start(
            ["hub", "exec", "--", "sh", "-c", script], in: workspace, environment: environment())
        let line = try await running.firstLine()
        return (running, line.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// The temporary folders that are there.
    func folders() throws -> [String] {
        try temporary.contents().filter { $0.hasPrefix("hubsend-exec-") }
    }

    /// The parent of a process; nil when it is not there.
    static func parent(of process: String) throws -> Int32? {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return status.split(separator: "\n").first { $0.hasPrefix("PPid:") }
            .flatMap { Int32($0.dropFirst(5).trimmingCharacters(in: .whitespaces)) }
    }

    /// Whether a process is there; a zombie is, too.
    static func isThere(_ process: String) throws -> Bool {
        FileManager.default.fileExists(atPath: "/proc/\(process)")
    }
}
