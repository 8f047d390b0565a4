import CampaignCore
import Files
import Glibc
import Subprocess
import SystemPackage

/// A command line that a shell runs for its output, such as a secret.
package struct ShellCommand: Sendable {
    /// Why it gave no result; never contains what it printed.
    package enum Failure: Error, Hashable, CustomStringConvertible {
        case notStarted(String)
        case tookTooLong(Duration)
        case exited(Int32)
        case signaled(Int32)
        case unreadable(String)

        /// The continuation of a sentence that names the command.
        package var description: String {
            let advice = "Run it by hand to see why"
            return switch self {
            case .notStarted(let why): "cannot be started: \(why)"
            case .tookTooLong(let time):
                "did not end within \(Durations.text(seconds: time / .seconds(1))). \(advice)"
            case .exited(let code): "ended with code \(code). \(advice)"
            case .signaled(let signal): "was ended by signal \(signal). \(advice)"
            case .unreadable(let why): "printed what cannot be read: \(why)"
            }
        }
    }

    /// When timeout(1) ends it, in seconds, should this process be killed meanwhile.
    private static let longest = 60

    private let text: String
    private let patience: Duration

    package init(_ text: String, patience: Duration = .seconds(30)) {
        self.text = text
        self.patience = patience
    }

    /// Runs it, and reads what it prints, at most one byte more than the limit.
    ///
    /// It has default signals, and its own process group, which is ended after its time or a
    /// cancellation. Background processes are not waited for.
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
        // A pipe takes 64 KiB, more than any secret, so that it need not be read before the end.
        defer { close(pipe.reading.rawValue) }
        let end = try await end(writingTo: pipe.writing)
        let bytes = try read(pipe.reading, limit: limit)
        switch end {
        case .exited(0)?: return bytes
        case .exited(let code)?: throw Failure.exited(code)
        case .signaled(let signal)?: throw Failure.signaled(signal)
        // A command that printed too much is reported for that.
        case nil where bytes.count > limit: return bytes
        case nil: throw Failure.tookTooLong(patience)
        }
    }

    /// Runs it to its end; nil: it took too long and was ended.
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
                try await Task.sleep(for: patience)
                return nil
            }
            defer { tasks.cancelAll() }
            return try await tasks.next() ?? nil
        }
    }

    /// Reads what is there; a background process may still hold the other end.
    private func read(_ end: FileDescriptor, limit: Int) throws -> [UInt8] {
        guard fcntl(end.rawValue, F_SETFL, O_NONBLOCK) == 0 else {
            throw Failure.unreadable("\(SystemFault.last)")
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
