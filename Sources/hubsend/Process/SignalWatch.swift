import Foundation
import Synchronization
import UnixSignals

/// Runs work that SIGINT and SIGTERM, and SIGHUP like it, end cleanly.
///
/// The first signal cancels the work and lets it save; a second ends the process at once, which loses nothing either,
/// since every push is written down before it is sent. SIGUSR1 asks for a progress line.
enum SignalWatch {
    /// Runs the work.
    ///
    /// - Parameters:
    ///   - onProgressRequest: called at each SIGUSR1.
    ///   - onSignal: called at the first signal that ends the work.
    ///   - work: what to do; sees cancellation when a signal came.
    /// - Returns: what the work returned, and the code of the signal that ended it, if one did.
    /// - Throws: what the work throws; ``CommandFailure`` with the signal's code for its `CancellationError`.
    static func run<Value: Sendable>(
        onProgressRequest: @escaping @Sendable () -> Void = {},
        onSignal: @escaping @Sendable () -> Void = {},
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> (value: Value, signal: ExitStatus?) {
        let signals = await UnixSignalsSequence(trapping: signalsToTrap)
        let (ends, end) = AsyncStream.makeStream(of: ExitStatus.self)
        return try await withThrowingTaskGroup(of: Void.self) { watching in
            watching.addTask {
                var isFirst = true
                for await signal in signals {
                    switch signal {
                    case .sigusr1:
                        onProgressRequest()
                    default:
                        let status: ExitStatus = signal == .sigint ? .interrupted : .terminated
                        if !isFirst { exit(status.rawValue) }
                        isFirst = false
                        onSignal()
                        end.yield(status)
                    }
                }
            }
            defer { watching.cancelAll() }
            return try await untilDone(ends, work)
        }
    }

    /// All that end the work, less those that the process was started to ignore, as under nohup.
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
        // Functions cannot be compared, and this one is no function but the number 1.
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        let ignore = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
        return handler == ignore
    }

    private static func untilDone<Value: Sendable>(
        _ ends: AsyncStream<ExitStatus>, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> (value: Value, signal: ExitStatus?) {
        try await withThrowingTaskGroup(of: Event<Value>.self) { group in
            group.addTask { .done(try await work()) }
            group.addTask {
                for await status in ends { return .signal(status) }
                return .watchEnded
            }
            var signal: ExitStatus?
            while let event = try await next(of: &group, unless: signal) {
                switch event {
                case .done(let value):
                    group.cancelAll()
                    return (value, signal)
                case .signal(let status):
                    signal = status
                    group.cancelAll()
                case .watchEnded:
                    break
                }
            }
            throw CancellationError()
        }
    }

    /// The next event; work that gave up because of a signal ends with that signal's code.
    private static func next<Value: Sendable>(
        of group: inout ThrowingTaskGroup<Event<Value>, any Error>, unless signal: ExitStatus?
    ) async throws -> Event<Value>? {
        do {
            return try await group.next()
        } catch is CancellationError where signal != nil {
            throw CommandFailure(signal ?? .interrupted, "interrupted; nothing was sent")
        }
    }

    private enum Event<Value: Sendable>: Sendable {
        case done(Value)
        case signal(ExitStatus)
        case watchEnded
    }
}
