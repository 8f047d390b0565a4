import Foundation
import TestSupport

/// A `hubsend` that was started and may still be under way.
final class RunningBinary: Sendable {
    private let process: Process
    private let output: FileHandle
    private let complaints: FileHandle
    private let streams: TemporaryFolder
    private let ended = Milestone()

    init(
        path: String, arguments: [String], folder: String, environment: [String: String],
        input: String
    ) throws {
        // Streams go to files, so that nothing can block on a full pipe.
        let streams = try TemporaryFolder()
        self.streams = streams
        let names = try [("in", input), ("out", ""), ("err", "")].map { name, text in
            URL(filePath: try streams.write(text, to: name))
        }
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
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
        kill(process.processIdentifier, number)
    }

    /// Waits until something has happened while it runs.
    ///
    /// - Throws: ``EndedEarly`` when it ends before that.
    func wait(for milestone: Milestone) async throws {
        let ended = ended
        let isReached = await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await milestone.wait()
                return true
            }
            group.addTask {
                await ended.wait()
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
        if !isReached { throw EndedEarly(result: try await result()) }
    }

    /// It ended before a test had seen what it waited for.
    struct EndedEarly: Error {
        let result: Binary.Result
    }

    /// Waits for its end.
    func result() async throws -> Binary.Result {
        await ended.wait()
        return Binary.Result(
            status: process.terminationStatus,
            output: String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self),
            complaints: String(decoding: try complaints.readToEnd() ?? Data(), as: UTF8.self))
    }

    /// The first line that it writes to stdout.
    ///
    /// - Throws: ``EndedEarly`` when it ends before that.
    func firstLine() async throws -> String {
        let (changes, change) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let watch = try FolderWatch(streams.path) { _ in change.yield() }
        defer { watch.end() }
        let ended = ended
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                await ended.wait()
                change.finish()
            }
            defer { tasks.cancelAll() }
            var change = changes.makeAsyncIterator()
            var text = ""
            var isOver = false
            while true {
                text += String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self)
                if text.contains("\n") { return text }
                if isOver { throw EndedEarly(result: try await result()) }
                isOver = await change.next() == nil
            }
        }
    }
}
