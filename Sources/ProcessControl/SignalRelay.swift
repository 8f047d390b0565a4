import Glibc
import Synchronization
package import UnixSignals

/// Determines what to do with signals to this process while a child runs in its place.
struct SignalRelay {
    enum Step: Equatable {
        /// Do nothing, because the command already got the signal.
        case leave
        /// Pass the signal on and continue.
        case forward(Int32)
        /// Pass the signal on and give the command a grace period to end.
        case end(Int32)
        /// End the command at once.
        case kill
    }

    private(set) var isEnding = false

    mutating func step(for signal: Int32, isForeground: Bool) -> Step {
        switch signal {
        case SIGUSR1, SIGUSR2:
            return .forward(signal)
        case SIGINT where isForeground, SIGQUIT where isForeground:
            // The kernel also sent the signal to the command, but the command may be a shell that
            // continues.
            return .leave
        default:
            defer { isEnding = true }
            return isEnding ? .kill : .end(signal)
        }
    }
}

/// Catches the signals that are for a child rather than for this process.
package final class SignalFeed: Sendable {
    private struct State {
        var hasChild = false
        var early: Int32?
    }

    /// The signals in order, from the moment when there is a child.
    package let signals: AsyncStream<Int32>

    private let signal: AsyncStream<Int32>.Continuation
    private let state = Mutex(State())

    init() {
        (signals, signal) = AsyncStream.makeStream(of: Int32.self)
    }

    func take(_ number: Int32) {
        let isForChild = state.withLock { state in
            // SIGUSR1 and SIGUSR2 are only passed on, because they have no meaning for this process
            // itself.
            if !state.hasChild, number != SIGUSR1, number != SIGUSR2 {
                state.early = state.early ?? number
            }
            return state.hasChild
        }
        if isForChild { signal.yield(number) }
    }

    /// Directs signals to the child from now on; returns an earlier signal, if any, which means
    /// that the child must not be started.
    package func beginChild() -> Int32? {
        state.withLock { state in
            state.hasChild = true
            return state.early
        }
    }

    /// Runs work that handles the signals, which do not end this process during that time.
    package static func run<Value>(
        _ work: (SignalFeed) async throws -> Value
    ) async throws -> Value {
        let trapped = endings.filter { !SignalWatch.isIgnored($0.rawValue) }
        let signals = await UnixSignalsSequence(trapping: trapped)
        let feed = SignalFeed()
        return try await withThrowingTaskGroup(of: Void.self) { watching in
            watching.addTask(executorPreference: SignalThread.shared) {
                for await signal in signals { feed.take(signal.rawValue) }
            }
            defer { watching.cancelAll() }
            return try await work(feed)
        }
    }

    /// The signals that the process was started to ignore, as under nohup.
    package static var ignored: [UnixSignal] {
        endings.filter { SignalWatch.isIgnored($0.rawValue) }
    }

    private static let endings: [UnixSignal] = [
        .sigint, .sigquit, .sigterm, .sighup, .sigusr1, .sigusr2,
    ]
}
