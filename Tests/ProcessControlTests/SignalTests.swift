import Foundation
import TestSupport
import Testing

@testable import ProcessControl

@Suite(.bounded) struct SignalTests {
    @Test("The first signal ends a command, and the second kills it")
    func firstSignalEndsACommandAndTheSecondKillsIt() {
        var relay = SignalRelay()
        #expect(relay.step(for: SIGINT, isForeground: true) == .leave)
        #expect(relay.step(for: SIGQUIT, isForeground: true) == .leave)
        #expect(relay.step(for: SIGUSR1, isForeground: true) == .forward(SIGUSR1))
        #expect(relay.step(for: SIGINT, isForeground: false) == .end(SIGINT))
        #expect(relay.step(for: SIGUSR2, isForeground: false) == .forward(SIGUSR2))
        #expect(relay.step(for: SIGINT, isForeground: true) == .leave)
        #expect(relay.step(for: SIGTERM, isForeground: false) == .kill)
    }

    @Test("A signal before the start prevents the command from starting")
    func signalBeforeTheStartPreventsTheCommandFromStarting() {
        let feed = SignalFeed()
        feed.take(SIGUSR1)
        #expect(SignalFeed().beginChild() == nil)
        feed.take(SIGINT)
        feed.take(SIGTERM)
        #expect(feed.beginChild() == SIGINT)
    }

    /// The work keeps all of Swift's threads busy, as sorting does on a single core.
    @Test("A signal is handled while all threads are busy")
    func signalIsHandledWhileAllThreadsAreBusy() async throws {
        try await OwnProcess.run { _ in
            let (_, signal) = try await SignalWatch.run {
                await withTaskGroup(of: Void.self) { tasks in
                    // With several tasks per thread, other tasks have to wait.
                    for _ in 0..<4 * ProcessInfo.processInfo.processorCount {
                        tasks.addTask { while !Task.isCancelled {} }
                    }
                    kill(getpid(), SIGTERM)
                }
            }
            exit(signal == .terminated ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
