import Foundation
import TestSupport
import Testing

/// What a test starts hears the signals that it is sent, whatever this process does with them.
@Suite(.bounded) struct ChildSignalTests {
    @Test func aSignalThatThisProcessIgnoresEndsAHub() async throws {
        // A process of its own, since others would inherit what is ignored here.
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
