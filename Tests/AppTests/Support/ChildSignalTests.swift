import Foundation
import TestSupport
import Testing

/// Child processes receive signals, whatever this process does with them.
@Suite(.bounded) struct ChildSignalTests {
    @Test func aSignalThatThisProcessIgnoresEndsAHub() async throws {
        // In a process of its own, since others would inherit the ignored signals.
        try await OwnProcess.run { _ in
            for number in [SIGINT, SIGTERM] {
                signal(number, SIG_IGN)
                let hub = try await Binary.start(["hub", "--json"], in: Workspace())
                _ = try await hub.firstLine()
                hub.signal(number)
                #expect(try await hub.result().status == 0)
            }
        }
    }
}
