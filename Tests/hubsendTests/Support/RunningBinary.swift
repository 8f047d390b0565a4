import Foundation

/// A `hubsend` that was started and may still be under way.
final class RunningBinary: Sendable {
    private let process: Process
    private let output: FileHandle
    private let complaints: FileHandle
    private let folder: URL
    private let ended = Milestone()

    init(
        path: String, arguments: [String], folder: String, environment: [String: String],
        input: String
    ) throws {
        // Streams go to files, so that nothing can block on a full pipe.
        let streams = FileManager.default.temporaryDirectory
            .appendingPathComponent("hubsend-streams-" + UUID().uuidString)
        self.folder = streams
        try FileManager.default.createDirectory(at: streams, withIntermediateDirectories: true)
        let names = ["in", "out", "err"].map { streams.appendingPathComponent($0) }
        try Data(input.utf8).write(to: names[0])
        try Data().write(to: names[1])
        try Data().write(to: names[2])
        process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        process.standardInput = try FileHandle(forReadingFrom: names[0])
        process.standardOutput = try FileHandle(forWritingTo: names[1])
        process.standardError = try FileHandle(forWritingTo: names[2])
        output = try FileHandle(forReadingFrom: names[1])
        complaints = try FileHandle(forReadingFrom: names[2])
        let ended = ended
        process.terminationHandler = { _ in ended.reach() }
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            print("left behind: \(folder.path): \(error)")
        }
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
        kill(process.processIdentifier, number)
    }

    /// Waits for its end.
    func result() async throws -> Binary.Result {
        await ended.wait()
        return Binary.Result(
            status: process.terminationStatus,
            output: String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self),
            complaints: String(decoding: try complaints.readToEnd() ?? Data(), as: UTF8.self))
    }

    /// What it has written to stdout since the last call.
    func newOutput() throws -> String {
        String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self)
    }
}
