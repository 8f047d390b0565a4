import Foundation
import Synchronization
import UnixSignals

/// Runs work that SIGINT and SIGTERM end cleanly.
///
/// The first signal cancels the work and lets it save; a second ends the process at once, which loses nothing either,
/// since every push is written down before it is sent. SIGUSR1 asks for a progress line.
enum SignalWatch {
    /// Runs the work.
    ///
    /// - Parameters:
    ///   - onProgressRequest: called at each SIGUSR1.
    ///   - work: what to do; sees cancellation when a signal came.
    /// - Returns: what the work returned, and the code of the signal that ended it, if one did.
    /// - Throws: what the work throws.
    static func run<Value: Sendable>(
        onProgressRequest: @escaping @Sendable () -> Void = {},
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> (value: Value, signal: ExitStatus?) {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sigusr1)
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
                        end.yield(status)
                    }
                }
            }
            defer { watching.cancelAll() }
            return try await untilDone(ends, work)
        }
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
            while let event = try await group.next() {
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

    private enum Event<Value: Sendable>: Sendable {
        case done(Value)
        case signal(ExitStatus)
        case watchEnded
    }
}
