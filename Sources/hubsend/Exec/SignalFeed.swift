import Glibc
import UnixSignals

/// Catches the signals that are a child's business rather than hubsend's own.
enum SignalFeed {
    /// Runs work that looks after them; none of them ends this process while it lasts.
    ///
    /// - Parameter work: gets the signals in the order in which they came.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws.
    static func run<Value>(
        _ work: (AsyncStream<Int32>) async throws -> Value
    ) async throws -> Value {
        let trapped = endings.filter { !SignalWatch.isIgnored($0.rawValue) }
        let signals = await UnixSignalsSequence(trapping: trapped)
        let (numbers, number) = AsyncStream.makeStream(of: Int32.self)
        return try await withThrowingTaskGroup(of: Void.self) { watching in
            watching.addTask { for await signal in signals { number.yield(signal.rawValue) } }
            defer { watching.cancelAll() }
            return try await work(numbers)
        }
    }

    /// Those that the process was started to ignore, as under nohup.
    static var ignored: [UnixSignal] { endings.filter { SignalWatch.isIgnored($0.rawValue) } }

    /// Those that would end the process.
    private static let endings: [UnixSignal] = [
        .sigint, .sigquit, .sigterm, .sighup, .sigusr1, .sigusr2,
    ]
}
