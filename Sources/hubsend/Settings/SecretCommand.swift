import CampaignCore
import Files
import Glibc
import Subprocess
import SystemPackage

/// The command that a setting ending in `_COMMAND` names, and that prints a secret.
struct SecretCommand: Sendable {
    /// As the shell takes it.
    let command: String
    /// What named it.
    let setting: String
    /// How long it may take.
    var patience = Duration.seconds(30)
    /// When it is ended by timeout(1), in seconds, should this process be killed meanwhile.
    private static let longest = 60

    /// Runs it, and reads what it prints.
    ///
    /// It hears signals as by default, whatever this process ignores, and has a process group of its own, which is ended
    /// when it takes too long or the task is cancelled. What it leaves running by itself is not waited for.
    ///
    /// - Parameter limit: more bytes than this and one are not read.
    /// - Returns: the bytes.
    /// - Throws: ``CommandFailure`` when it cannot be started, fails or takes too long; never with what it printed.
    func output(limit: Int) async throws -> [UInt8] {
        let pipe: (reading: FileDescriptor, writing: FileDescriptor)
        do {
            let ends = try FileDescriptor.pipe(options: .closeOnExec)
            pipe = (ends.readEnd, ends.writeEnd)
        } catch {
            throw failure("cannot be started: \(error)")
        }
        // A pipe takes 64 KiB, more than any secret, so that it need not be read before the end.
        defer { close(pipe.reading.rawValue) }
        let end = try await end(writingTo: pipe.writing)
        let bytes = try read(pipe.reading, limit: limit)
        guard let end else {
            // What printed so much that it could not go on is told so.
            if bytes.count > limit { return bytes }
            let time = Durations.text(seconds: patience / .seconds(1))
            throw failure("did not end within \(time). Run it by hand to see why")
        }
        switch end {
        case .exited(0): return bytes
        case .exited(let code):
            throw failure("ended with code \(code). Run it by hand to see why")
        case .signaled(let signal):
            throw failure("was ended by signal \(signal). Run it by hand to see why")
        }
    }

    /// Runs it to its end.
    ///
    /// - Returns: how it ended; nil: it took too long and was ended.
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
                        arguments: [
                            "--kill-after=1", "\(Self.longest)", "/bin/sh", "-c", command,
                        ],
                        platformOptions: options,
                        output: .fileDescriptor(output, closeAfterSpawningProcess: true),
                        error: .currentStandardError)
                    if Task.isCancelled {
                        await ProcessGroup(leader: result.processIdentifier.value).end(
                            within: .zero)
                    }
                    return result.terminationStatus
                } catch let error as SubprocessError {
                    throw failure("cannot be started: \(error)")
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

    /// Reads what is there; a process that it left behind may still hold the other end.
    private func read(_ end: FileDescriptor, limit: Int) throws -> [UInt8] {
        guard fcntl(end.rawValue, F_SETFL, O_NONBLOCK) == 0 else {
            throw failure("printed what cannot be read: \(SystemFault.last)")
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
                throw failure("printed what cannot be read: \(error)")
            }
        }
        return bytes
    }

    private func failure(_ what: String) -> CommandFailure {
        CommandFailure(.configuration, "The command in \(setting) \(what).")
    }
}
