import Foundation
import LocalHub
import ProcessControl
import Subprocess
import TestSupport
import Testing

@testable import hubsend

/// A hub and the command that runs beside it: whichever ends first ends the other.
@Suite(.bounded) struct HubWithWorkTests {
    @Test
    func aHubThatFailsEndsTheCommandAndIsTheReason() async throws {
        struct Broken: Error {}
        let (running, isRunning) = AsyncStream.makeStream(of: Void.self)
        let failure = await #expect(throws: CommandEnd.self) {
            _ = try await HubWithWork.run { onReady in
                onReady(LocalHubAddress(host: "127.0.0.1", port: 1, hubName: "hub"))
                for await _ in running {}
                throw LocalHubError.portInUse(host: "127.0.0.1", port: 1)
            } _: { _ in
                let program = try Program(["sleep", "600"], in: "/", searching: nil)
                let (signals, _) = AsyncStream.makeStream(of: Int32.self)
                isRunning.finish()
                return try await ChildProgram(program: program, environment: .inherit) { _ in }
                    .run(signals)
            }
        }
        #expect(failure?.status == .tryAgain)
        #expect(failure?.message.contains("The hub failed, so the command was ended") == true)
    }

    @Test func aHubThatCannotListenIsSaidInItsOwnWords() async throws {
        await #expect(throws: LocalHubError.portInUse(host: "127.0.0.1", port: 1)) {
            _ = try await HubWithWork.run { _ in
                throw LocalHubError.portInUse(host: "127.0.0.1", port: 1)
            } _: { _ in
                0
            }
        }
    }
}
