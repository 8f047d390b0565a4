import Foundation
import Glibc
import Subprocess
import Synchronization
import SystemPackage

/// A program that a test has started, and that ends with the test.
///
/// It starts with default signal handling, whatever this process uses. Its streams are files, so a
/// full pipe or a background process cannot block. Every wait has a timeout, whose error says what
/// hung.
package final class ChildProcess: Sendable {
    package struct Result: Sendable {
        /// The exit code, or 128 plus the number of the signal that ended the program.
        package let status: Int32
        /// Excludes the first line if it was already read.
        package let output: String
        package let complaints: String
    }

    /// The program ended before a milestone was reached.
    package struct EndedEarly: Error {
        package let result: Result
    }

    package struct Hung: Error, CustomStringConvertible {
        package let description: String
    }

    /// Long enough for a busy machine, but shorter than a test may take.
    private static let timeout = Duration.seconds(180)
    /// How long the program may run if nobody waits for it.
    private static let lifetime = Duration.seconds(1_800)
    /// How long the program may take to end by itself before it is killed.
    private static let grace = Duration.seconds(5)

    private let command: String
    private let streams: TemporaryFolder
    private let life = Life()
    private let run: Task<Void, Never>
    /// The other end of the program's stdin, if that is a pipe.
    private let hold: FileDescriptor?

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - environment: all of its variables; nil means those of this process.
    ///   - input: its stdin; nil means a pipe that ends with this object or this process.
    ///   - readRest: reads other output before its end is reported.
    package static func start(
        _ path: String, _ arguments: [String] = [], in folder: String? = nil,
        environment: [String: String]? = nil, input: String? = "",
        readRest: @escaping @Sendable () -> Void = {}
    ) async throws -> ChildProcess {
        let configuration = Configuration(
            executable: .path(FilePath(path)), arguments: Arguments(arguments),
            environment: variables(environment), workingDirectory: folder.map { FilePath($0) },
            platformOptions: options)
        let child = try ChildProcess(
            configuration, named: ([path] + arguments).joined(separator: " "), input: input,
            readRest: readRest)
        try await child.wait(for: child.life.began, named: "its start")
        try child.life.expectStart()
        return child
    }

    private init(
        _ configuration: Configuration, named command: String, input: String?,
        readRest: @escaping @Sendable () -> Void
    ) throws {
        self.command = command
        let streams = try TemporaryFolder()
        self.streams = streams
        func open(
            _ name: String, _ text: String, _ mode: FileDescriptor.AccessMode
        ) throws -> FileDescriptor {
            try .open(FilePath(try streams.write(text, to: name)), mode, options: .closeOnExec)
        }
        let stdin: FileDescriptor
        if let input {
            (stdin, hold) = (try open("in", input, .readOnly), nil)
        } else {
            (stdin, hold) = try FileDescriptor.pipe(options: .closeOnExec)
        }
        let files = [stdin, try open("out", "", .writeOnly), try open("err", "", .writeOnly)]
        run = Task { [life] in
            do {
                let result = try await Subprocess.run(
                    configuration,
                    input: .fileDescriptor(files[0], closeAfterSpawningProcess: true),
                    output: .fileDescriptor(files[1], closeAfterSpawningProcess: true),
                    error: .fileDescriptor(files[2], closeAfterSpawningProcess: true)
                ) { execution in
                    life.begin(execution.processIdentifier.value)
                    // Signal 0 does nothing (kill(2)), so this only waits for the end.
                    await execution.teardown(using: [
                        .send(signal: Signal(rawValue: 0), allowedDurationToNextStep: Self.lifetime)
                    ])
                    life.letGo()
                }
                readRest()
                switch result.terminationStatus {
                case .exited(let code): life.end(.success(code))
                case .signaled(let signal): life.end(.success(128 + signal))
                }
            } catch {
                life.end(.failure(error))
            }
        }
    }

    deinit {
        run.cancel()
        do {
            try hold?.close()
        } catch {
            print("A pipe could not be closed: \(error)")
        }
    }

    /// Does nothing after the process has ended.
    package func signal(_ number: Int32) {
        life.signal(number)
    }

    /// Throws ``EndedEarly`` if the program ends first, and ``Hung`` if neither happens in time.
    package func wait(for milestone: Milestone) async throws {
        let either = Milestone()
        try await withThrowingTaskGroup(of: Void.self) { [life] tasks in
            for awaited in [milestone, life.ended] {
                tasks.addTask {
                    await awaited.wait()
                    if awaited.isReached { either.reach() }
                }
            }
            defer { tasks.cancelAll() }
            try await wait(for: either, named: "a milestone")
        }
        if !milestone.isReached { throw EndedEarly(result: try await result()) }
    }

    /// Waits for the program's end; nil means long enough for a busy machine.
    package func result(within timeout: Duration? = nil) async throws -> Result {
        try await wait(for: life.ended, named: "its end", within: timeout ?? Self.timeout)
        return Result(
            status: try life.status(), output: try unread(), complaints: try text(of: "err"))
    }

    /// The first line of stdout, without the line feed.
    package func firstLine() async throws -> String {
        let line = try await output { text in
            text.firstIndex(of: "\n").map { String(text[..<$0]) }
        }
        life.read(line.utf8.count + 1)
        return line
    }

    /// Waits until `find` returns a value for the unread stdout.
    package func output<Value: Sendable>(_ find: (String) -> Value?) async throws -> Value {
        let start = ContinuousClock.now
        let (changes, change) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let watch = try FolderWatch(streams.path) { _ in change.yield() }
        defer { watch.end() }
        let life = life
        let found = try await withThrowingTaskGroup(of: Void.self) { tasks -> Value? in
            tasks.addTask {
                _ = await Self.isReached(life.ended, within: Self.timeout)
                change.finish()
            }
            defer { tasks.cancelAll() }
            var change = changes.makeAsyncIterator()
            var isOver = false
            while true {
                if let value = find(try unread()) { return value }
                if isOver { return nil }
                isOver = await change.next() == nil
            }
        }
        if let found { return found }
        guard life.ended.isReached else {
            throw await hung(waitingFor: "words on stdout", since: start)
        }
        throw EndedEarly(result: try await result())
    }

    private func wait(
        for milestone: Milestone, named name: String, within timeout: Duration = timeout
    ) async throws {
        let start = ContinuousClock.now
        guard await Self.isReached(milestone, within: timeout) else {
            throw await hung(waitingFor: name, since: start)
        }
    }

    private static func isReached(_ milestone: Milestone, within time: Duration) async -> Bool {
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await milestone.wait() }
            tasks.addTask {
                do {
                    try await Task.sleep(for: time)
                } catch {
                    // The milestone was reached, or the test was cancelled.
                }
            }
            await tasks.next()
            tasks.cancelAll()
        }
        return milestone.isReached
    }

    private func hung(
        waitingFor name: String, since start: ContinuousClock.Instant
    ) async -> Hung {
        let seconds = Int((ContinuousClock.now - start) / .seconds(1))
        let error = Hung(
            description: """
                \(Task.isCancelled ? "The test was cancelled" : "The test gave up") after it had \
                waited \(seconds) s for \(name): \(command)
                \(life.processState)
                stdout: \(tail(of: "out"))
                stderr: \(tail(of: "err"))
                """)
        run.cancel()
        _ = await Self.isReached(life.ended, within: Self.grace * 3)
        return error
    }

    private func unread() throws -> String {
        String(decoding: try text(of: "out").utf8.dropFirst(life.readCount), as: UTF8.self)
    }

    private func text(of stream: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: streams.file(stream))), as: UTF8.self)
    }

    private func tail(of stream: String) -> String {
        do {
            return String(try text(of: stream).suffix(2_000))
        } catch {
            return "\(error)"
        }
    }

    private static func variables(_ all: [String: String]?) -> Subprocess.Environment {
        guard let all else { return .inherit }
        return .custom(
            Dictionary(all.map { (Subprocess.Environment.Key(stringLiteral: $0), $1) }) { $1 })
    }

    private static var options: PlatformOptions {
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: grace)]
        return options
    }
}

private final class Life: Sendable {
    private struct State {
        /// nil as soon as the number could belong to another process.
        var process: Int32?
        var ending: Result<Int32, any Error>?
        var readCount = 0
    }

    private let state = Mutex(State())
    /// Reached when the program runs or could not be started.
    let began = Milestone()
    let ended = Milestone()

    var readCount: Int { state.withLock { $0.readCount } }

    func read(_ count: Int) {
        state.withLock { $0.readCount += count }
    }

    func begin(_ process: Int32) {
        state.withLock { $0.process = process }
        began.reach()
    }

    /// Forgets the process number, because waiting for the end frees it.
    func letGo() {
        state.withLock { $0.process = nil }
    }

    func end(_ ending: Result<Int32, any Error>) {
        state.withLock { $0.ending = ending }
        began.reach()
        ended.reach()
    }

    func expectStart() throws {
        if case .failure(let error) = state.withLock({ $0.ending }) { throw error }
    }

    func status() throws -> Int32 {
        guard let ending = state.withLock({ $0.ending }) else { throw CancellationError() }
        return try ending.get()
    }

    func signal(_ number: Int32) {
        state.withLock { state in
            if let process = state.process { _ = kill(process, number) }
        }
    }

    var processState: String {
        state.withLock { state in
            guard let process = state.process else { return "The process has ended." }
            do {
                let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
                let lines = status.split(separator: "\n").filter { line in
                    ["State", "Threads", "ShdPnd", "SigBlk", "SigIgn", "SigCgt"].contains {
                        line.hasPrefix($0 + ":")
                    }
                }
                return "process \(process): "
                    + lines.joined(separator: ", ").replacing("\t", with: " ")
            } catch {
                return "process \(process): \(error)"
            }
        }
    }
}
