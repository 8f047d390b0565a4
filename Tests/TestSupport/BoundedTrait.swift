import Dispatch
import Foundation
import Synchronization
package import Testing

/// Limits how many tests run at a time, and cancels and reports tests that hang.
///
/// Otherwise, hundreds of tests would start at once, and timeouts would mean nothing. A test's time
/// limit starts with its turn.
package struct BoundedTrait: SuiteTrait, TestTrait, TestScoping {
    /// Many times longer than the slowest test needs on a busy machine.
    #if SANITIZED
        private static let limit = Duration.seconds(1_800)
    #else
        private static let limit = Duration.seconds(240)
    #endif
    /// Enough tests to keep all processors busy while tests wait, but few enough that none is
    /// starved.
    fileprivate static let common = Crowd(limit: 8)

    /// Whether an outer suite has already given the test its turn.
    @TaskLocal private static var isInTurn = false

    /// nil if tests do not wait for a turn.
    fileprivate let turns: Crowd?

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing body: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil, !Self.isInTurn else { return try await body() }
        let name = "\(test.id)"
        guard let turns else { return try await Self.watch(name, body) }
        try await turns.run { try await Self.watch(name, body) }
    }

    private static func watch(
        _ name: String, _ body: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let watched = TestWatch.shared.begin(name, limit: Self.limit)
        defer { TestWatch.shared.end(watched) }
        try await withoutActuallyEscaping(body) { body in
            try await withThrowingTaskGroup(of: Bool.self) { tasks in
                tasks.addTask {
                    try await Self.$isInTurn.withValue(true) { try await body() }
                    return true
                }
                tasks.addTask {
                    for await _ in watched.overdue {}
                    return false
                }
                defer { tasks.cancelAll() }
                if try await tasks.next() == false, !Task.isCancelled {
                    Issue.record("The test did not end within \(Self.limit), and is cancelled.")
                    tasks.cancelAll()
                    for try await _ in tasks {}
                }
            }
        }
    }
}

extension Trait where Self == BoundedTrait {
    package static var bounded: Self { BoundedTrait(turns: BoundedTrait.common) }

    /// Starts the suite's tests without waiting for a turn.
    ///
    /// For long-running suites, which are also `.serialized`, and for tests that mostly wait.
    package static var apart: Self { BoundedTrait(turns: nil) }
}

/// Watches the running tests on its own thread, which still works if all of Swift's threads hang.
private final class TestWatch: Sendable {
    struct Watched: Sendable {
        let number: Int
        /// Ends when the test has taken too long.
        let overdue: AsyncStream<Never>
    }

    private struct Entry {
        let name: String
        let since: ContinuousClock.Instant
        let limit: Duration
        let end: AsyncStream<Never>.Continuation
        var isOverdue = false
    }

    static let shared = TestWatch()
    /// Slower tests are reported, so that somebody speeds them up.
    private static let long = Duration.seconds(4)
    /// How long a cancelled test may take to end before the process is aborted.
    private static let grace = Duration.seconds(60)

    private let state = Mutex((lastNumber: 0, entries: [Int: Entry]()))
    private let queue = DispatchQueue(label: "hubsend.test-watch")

    private init() {
        lookLater()
    }

    func begin(_ name: String, limit: Duration) -> Watched {
        let (overdue, end) = AsyncStream.makeStream(of: Never.self)
        let number = state.withLock { state in
            state.lastNumber += 1
            state.entries[state.lastNumber] = Entry(
                name: name, since: .now, limit: limit, end: end)
            return state.lastNumber
        }
        return Watched(number: number, overdue: overdue)
    }

    func end(_ watched: Watched) {
        let entry = state.withLock { $0.entries.removeValue(forKey: watched.number) }
        guard let entry else { return }
        let took = ContinuousClock.now - entry.since
        if took > Self.long { say("\(entry.name) took \(took).") }
    }

    private func lookLater() {
        queue.asyncAfter(deadline: .now() + 5) { [self] in
            look()
            lookLater()
        }
    }

    private func look() {
        let now = ContinuousClock.now
        let lost: [String] = state.withLock { state in
            for (number, entry) in state.entries
            where !entry.isOverdue && now - entry.since > entry.limit {
                say("\(entry.name) hangs: it is under way since \(entry.limit).")
                state.entries[number]?.isOverdue = true
                entry.end.finish()
            }
            let isLost = state.entries.values.contains {
                now - $0.since > $0.limit + Self.grace
            }
            return isLost ? state.entries.values.map { "\($0.name), \(now - $0.since)" } : []
        }
        guard !lost.isEmpty else { return }
        say("Some tests did not end after they were cancelled. Running tests:")
        for line in lost.sorted() { say("  " + line) }
        abort()
    }

    private func say(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
