import CampaignCore
import Files
import Glibc
import Subprocess
import SystemPackage

/// A command line that a shell runs for its output, for example a secret.
package struct ShellCommand: Sendable {
    /// Why the command had no result; the text never contains its output.
    package enum Failure: Error, Hashable, CustomStringConvertible {
        case notStarted(String)
        case tookTooLong(Duration)
        case exited(Int32)
        case signaled(Int32)
        case unreadable(String)

        /// The end of a sentence that begins with the command.
        package var description: String {
            let advice = "Run it by hand to see why"
            return switch self {
            case .notStarted(let why): "cannot be started: \(why)"
            case .tookTooLong(let time):
                "did not finish within \(Durations.text(seconds: time / .seconds(1))). \(advice)"
            case .exited(let code): "exited with \(code). \(advice)"
            case .signaled(let signal): "was terminated by signal \(signal). \(advice)"
            case .unreadable(let why): "printed output that cannot be read: \(why)"
            }
        }
    }

    /// The time in seconds after which timeout(1) ends the command, in case this process is killed
    /// first.
    private static let longest = 60

    private let text: String
    private let timeout: Duration

    package init(_ text: String, timeout: Duration = .seconds(30)) {
        self.text = text
        self.timeout = timeout
    }

    /// Runs the command and reads its output, at most one byte more than the limit.
    ///
    /// The command has default signal handling and its own process group, which is ended after the
    /// time limit or a cancellation. The function does not wait for background processes.
    ///
    /// - Throws: ``Failure``; `CancellationError`.
    package func output(limit: Int) async throws -> [UInt8] {
        let pipe: (reading: FileDescriptor, writing: FileDescriptor)
        do {
            let ends = try FileDescriptor.pipe(options: .closeOnExec)
            pipe = (ends.readEnd, ends.writeEnd)
        } catch {
            throw Failure.notStarted("\(error)")
        }
        // A pipe holds 64 KiB, which is more than any secret, so it need not be read before the
        // command ends.
        defer { close(pipe.reading.rawValue) }
        let end = try await end(writingTo: pipe.writing)
        let bytes = try read(pipe.reading, limit: limit)
        switch end {
        case .exited(0)?: return bytes
        case .exited(let code)?: throw Failure.exited(code)
        case .signaled(let signal)?: throw Failure.signaled(signal)
        // A command that printed too much gets its own error.
        case nil where bytes.count > limit: return bytes
        case nil: throw Failure.tookTooLong(timeout)
        }
    }

    /// Runs the command until it ends; returns nil if it took too long and was stopped.
    private func end(writingTo output: FileDescriptor) async throws -> TerminationStatus? {
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = [
            .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(1))
        ]
        return try await withThrowingTaskGroup(of: TerminationStatus?.self) { [options] tasks in
            tasks.addTask {
                do {
                    let result = try await Subprocess.run(
                        .name("timeout"),
                        arguments: ["--kill-after=1", "\(Self.longest)", "/bin/sh", "-c", text],
                        platformOptions: options,
                        output: .fileDescriptor(output, closeAfterSpawningProcess: true),
                        error: .currentStandardError)
                    if Task.isCancelled {
                        await ProcessGroup(leader: result.processIdentifier.value).end(
                            within: .zero)
                    }
                    return result.terminationStatus
                } catch let error as SubprocessError {
                    throw Failure.notStarted("\(error)")
                }
            }
            tasks.addTask {
                try await Task.sleep(for: timeout)
                return nil
            }
            defer { tasks.cancelAll() }
            return try await tasks.next() ?? nil
        }
    }

    /// Reads the available output; a background process may still hold the other end.
    private func read(_ end: FileDescriptor, limit: Int) throws -> [UInt8] {
        guard fcntl(end.rawValue, F_SETFL, O_NONBLOCK) == 0 else {
            throw Failure.unreadable("\(SystemError.last)")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: limit + 1)
        while bytes.count <= limit {
            do {
                let count = try unsafe buffer.withUnsafeMutableBytes {
                    try unsafe end.read(into: $0)
                }
                guard count > 0 else { break }
                bytes += buffer[..<count]
            } catch Errno.wouldBlock {
                break
            } catch {
                throw Failure.unreadable("\(error)")
            }
        }
        return bytes
    }
}
