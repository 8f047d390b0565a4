import Foundation
import TestSupport
import Testing

/// A test's child process is awaited alone, ends with its test, and never hangs silently.
@Suite(.bounded) struct ChildProcessTests {
    private static func shell(_ script: String) async throws -> ChildProcess {
        try await ChildProcess.start("/bin/sh", ["-c", script])
    }

    private static func isThere(_ process: String) -> Bool {
        FileManager.default.fileExists(atPath: "/proc/\(process)")
    }

    @Test func whatWasReadBeforeIsNotReadAgain() async throws {
        let child = try await Self.shell("echo one; echo two; echo aside >&2; exit 3")
        #expect(try await child.firstLine() == "one")
        let result = try await child.result()
        #expect(result.status == 3)
        #expect(result.output == "two\n")
        #expect(result.complaints == "aside\n")
    }

    @Test func whatAProgramLeavesRunningHoldsNobodyUp() async throws {
        let child = try await Self.shell("sleep 600 & echo $!")
        let result = try await child.result()
        let left = try #require(Int32(result.output.trimmingCharacters(in: .newlines)))
        #expect(kill(left, SIGKILL) == 0)
        #expect(result.status == 0)
    }

    @Test func aHangSaysWhatHungAndIsEnded() async throws {
        let child = try await Self.shell(
            "trap '' INT; echo alas >&2; echo $$; exec sleep 600")
        let process = try await child.firstLine()
        let error = await #expect(throws: ChildProcess.Hung.self) {
            try await child.result(within: .milliseconds(200))
        }
        let text = try #require(error?.description)
        for part in [
            "its end: /bin/sh -c trap", "process \(process): State: ", "stderr: alas",
            "SigBlk: 0000000000000000", "0002, SigCgt:",
        ] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(try await child.result().status == 128 + SIGTERM)
        #expect(!Self.isThere(process))
    }

    @Test func aWaitThatIsCancelledEndsTheProgram() async throws {
        let child = try await Self.shell("echo ready; exec sleep 600")
        _ = try await child.firstLine()
        let waiting = Task { try await child.result() }
        waiting.cancel()
        let error = await #expect(throws: ChildProcess.Hung.self) { try await waiting.value }
        #expect(error?.description.hasPrefix("The test was cancelled") == true)
        #expect(try await child.result().status == 128 + SIGTERM)
    }

    @Test func aProgramThatEndsEarlyIsNotWaitedFor() async throws {
        let child = try await Self.shell("echo half; exit 4")
        let early = await #expect(throws: ChildProcess.EndedEarly.self) {
            try await child.output { $0.contains("whole") ? true : nil }
        }
        #expect(early?.result.output == "half\n")
        await #expect(throws: ChildProcess.EndedEarly.self) {
            try await child.wait(for: Milestone())
        }
    }

    @Test func aProgramThatIsNotThereIsAnErrorOfItsStart() async throws {
        await #expect(throws: (any Error).self) {
            try await ChildProcess.start("/no/such/program")
        }
    }

    @Test func whoWaitsForAPlaceCanBeCancelled() async throws {
        let crowd = Crowd(limit: 1)
        try await crowd.run {
            let second = Task { try await crowd.run {} }
            second.cancel()
            await #expect(throws: CancellationError.self) { try await second.value }
        }
        try await crowd.run {}
    }
}
