import Dispatch
import Foundation
import Synchronization
import UnixSignals

/// Runs work that SIGINT, SIGTERM and SIGHUP stop cleanly.
///
/// The first signal cancels the work, which can then save its state. A second signal ends the
/// process immediately, which loses nothing, because every push is recorded before it is sent.
/// SIGUSR1 requests a progress line.
package enum SignalWatch {
    package enum Ending: Int32, Sendable {
        case interrupted = 2
        /// SIGTERM or SIGHUP ended the work.
        case terminated = 15

        /// The exit code that shells use for a program ended by this signal.
        package var exitCode: Int32 { 128 + rawValue }
    }

    /// The error if a signal arrived before the work had anything to return.
    package struct Interruption: Error {
        package let ending: Ending

        package init(ending: Ending) {
            self.ending = ending
        }
    }

    /// Lets signals also end process 1 of a container, for which the kernel drops signals without a
    /// handler (pid_namespaces(7)).
    package static func endFirstProcess() {
        guard getpid() == 1 else { return }
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
            signal(number) { _exit($0 == SIGINT ? 130 : 143) }
        }
    }

    /// Runs work that a signal cancels; then throws ``Interruption`` instead of
    /// `CancellationError`.
    package static func run<Value: Sendable>(
        onProgressRequest: @escaping @Sendable () -> Void = {},
        onSignal: @escaping @Sendable () -> Void = {},
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> (value: Value, signal: Ending?) {
        let signals = await UnixSignalsSequence(trapping: signalsToTrap)
        // The work runs outside the group, because a signal cancels it from another thread and the
        // group must outlive it.
        let task = Task { try await work() }
        let heard = FirstSignal()
        return try await withThrowingTaskGroup(of: Void.self) { watching in
            // The work is cancelled from a separate thread, because Swift's threads may all be
            // busy.
            watching.addTask(executorPreference: SignalThread.shared) {
                for await signal in signals {
                    guard signal != .sigusr1 else {
                        onProgressRequest()
                        continue
                    }
                    let ending: Ending = signal == .sigint ? .interrupted : .terminated
                    guard heard.note(ending) else { exit(ending.exitCode) }
                    // The work is cancelled before the message is written, because writing blocks
                    // until standard error is read.
                    task.cancel()
                    onSignal()
                }
            }
            defer { watching.cancelAll() }
            do {
                let value = try await withTaskCancellationHandler {
                    try await task.value
                } onCancel: {
                    task.cancel()
                }
                return (value, heard.ending)
            } catch let error as CancellationError {
                guard let ending = heard.ending else { throw error }
                throw Interruption(ending: ending)
            }
        }
    }

    /// Runs a server until a signal arrives; throws the error that ended the server.
    package static func serve(
        _ server:
            @escaping @Sendable (_ fail: @escaping @Sendable (any Error) -> Void) async throws ->
            Void
    ) async throws {
        _ = try await run {
            let (failures, failure) = AsyncStream.makeStream(of: (any Error).self)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask {
                    defer { failure.finish() }
                    try await server { failure.yield($0) }
                }
                tasks.addTask { for await error in failures { throw error } }
                // `waitForAll` would not end the server after a failure.
                while try await tasks.next() != nil {}
            }
        }
    }

    /// The signals that end the work, except ignored ones, as under nohup.
    private static var signalsToTrap: [UnixSignal] {
        let ending: [(Int32, UnixSignal)] = [
            (SIGINT, .sigint), (SIGTERM, .sigterm), (SIGHUP, .sighup),
        ]
        return ending.filter { !isIgnored($0.0) }.map(\.1) + [.sigusr1]
    }

    /// Whether the process was started to ignore a signal, as under nohup.
    static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
        // Functions cannot be compared, but SIG_IGN is the number 1, which can.
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        let ignore = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        return handler == ignore
    }
}

private final class FirstSignal: Sendable {
    private let first = Mutex<SignalWatch.Ending?>(nil)

    var ending: SignalWatch.Ending? { first.withLock { $0 } }

    /// Records a signal; returns false if there was an earlier one.
    func note(_ ending: SignalWatch.Ending) -> Bool {
        first.withLock { first in
            guard first == nil else { return false }
            first = ending
            return true
        }
    }
}

/// The thread that handles signals.
///
/// Swift has only one thread per core, and all of them may be busy.
final class SignalThread: TaskExecutor {
    static let shared = SignalThread()

    private let queue = DispatchQueue(label: "hubsend.signals")

    private init() {}

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
