import Dispatch
import Foundation
import Synchronization
import UnixSignals

/// Runs work that SIGINT, SIGTERM and SIGHUP end cleanly.
///
/// The first signal cancels the work and lets it save; a second ends the process at once, which
/// loses nothing, since every push is recorded before it is sent. SIGUSR1 asks for a progress line.
package enum SignalWatch {
    package enum Ending: Int32, Sendable {
        case interrupted = 2
        /// SIGTERM or SIGHUP.
        case terminated = 15

        /// The exit code of shells for a program that this signal ended.
        package var exitCode: Int32 { 128 + rawValue }
    }

    /// A signal came before the work had anything to return.
    package struct Interruption: Error {
        package let ending: Ending

        package init(ending: Ending) {
            self.ending = ending
        }
    }

    /// Lets signals end process 1 of a container too, for which the kernel drops those without a
    /// handler (pid_namespaces(7)).
    package static func endFirstProcess() {
        guard getpid() == 1 else { return }
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
            signal(number) { _exit($0 == SIGINT ? 130 : 143) }
        }
    }

    /// Runs work, which a signal cancels; then throws ``Interruption``, not `CancellationError`.
    package static func run<Value: Sendable>(
        onProgressRequest: @escaping @Sendable () -> Void = {},
        onSignal: @escaping @Sendable () -> Void = {},
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> (value: Value, signal: Ending?) {
        let signals = await UnixSignalsSequence(trapping: signalsToTrap)
        // Not in the group: a signal cancels it from another thread, and the group ends only after
        // it.
        let task = Task { try await work() }
        let heard = FirstSignal()
        return try await withThrowingTaskGroup(of: Void.self) { watching in
            // It cancels the work from its own thread, since Swift's may all be busy.
            watching.addTask(executorPreference: SignalThread.shared) {
                for await signal in signals {
                    guard signal != .sigusr1 else {
                        onProgressRequest()
                        continue
                    }
                    let ending: Ending = signal == .sigint ? .interrupted : .terminated
                    guard heard.note(ending) else { exit(ending.exitCode) }
                    // Before the message: writing waits until standard error is read.
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

    /// Runs a server until a signal comes; throws what the server throws, and the failure that
    /// ended it.
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
                // Not `waitForAll`: a failure ends the server.
                while try await tasks.next() != nil {}
            }
        }
    }

    /// The signals that end the work, without those that are ignored, as under nohup.
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
        // Functions cannot be compared; this one is really the number 1 (SIG_IGN).
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        let ignore = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        return handler == ignore
    }
}

private final class FirstSignal: Sendable {
    private let first = Mutex<SignalWatch.Ending?>(nil)

    var ending: SignalWatch.Ending? { first.withLock { $0 } }

    /// Returns false when there was one before.
    func note(_ ending: SignalWatch.Ending) -> Bool {
        first.withLock { first in
            guard first == nil else { return false }
            first = ending
            return true
        }
    }
}

/// The thread for signals.
///
/// Swift's threads are as few as cores, and might all be busy.
final class SignalThread: TaskExecutor {
    static let shared = SignalThread()

    private let queue = DispatchQueue(label: "hubsend.signals")

    private init() {}

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
