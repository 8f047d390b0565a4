import Foundation
import TestSupport
import Testing

@testable import ProcessControl

@Suite(.bounded) struct ShellCommandTests {
    private func run(
        _ command: String, patience: Duration = .seconds(30), limit: Int = 100
    ) async throws -> String {
        let bytes = try await ShellCommand(command, patience: patience).output(limit: limit)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func whatItPrintsIsRead() async throws {
        #expect(try await run("printf a; printf b >&2; printf c") == "ac")
    }

    @Test func whatItLeavesRunningIsNotWaitedFor() async throws {
        let text = try await run("sleep 300 & echo $!")
        let process = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(process, SIGKILL) == 0, "it was running on, with the other end of the pipe")
    }

    @Test func oneThatTakesTooLongIsEnded() async throws {
        let error = await #expect(throws: ShellCommand.Failure.self) {
            try await run("exec sleep 300", patience: .milliseconds(50))
        }
        #expect(error == .tookTooLong(.milliseconds(50)))
        #expect(error?.description.hasPrefix("did not end within 1 s.") == true)
    }

    @Test(arguments: [
        "trap '' TERM; sleep 300 & wait; sleep 300", "(trap '' TERM; sleep 300) & wait",
    ])
    func oneThatIsEndedTakesWithItAllThatItStarted(command: String) async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.file("pipe")
        let isMade = unsafe mkfifo(pipe, 0o600) == 0
        #expect(isMade)
        // Ends when nobody holds the pipe any more.
        let witness = try await ChildProcess.start("/bin/cat", [pipe])
        let running = Task { try await run("exec 3>\(pipe); echo ready >&3; \(command)") }
        #expect(try await witness.firstLine() == "ready")
        running.cancel()
        await #expect(throws: (any Error).self) { try await running.value }
        #expect(try await witness.result().status == 0)
    }

    @Test func oneThatFailsIsASentenceWithoutWhatItPrinted() async throws {
        let error = await #expect(throws: ShellCommand.Failure.self) {
            try await run("echo hush; exit 7")
        }
        #expect(error == .exited(7))
        #expect(error?.description == "ended with code 7. Run it by hand to see why")
    }

    @Test func oneThatPrintsWithoutEndIsReadToTheLimitOnly() async throws {
        let text = try await run("while :; do echo y; done", patience: .seconds(3))
        #expect(text.utf8.count > 100)
    }

    /// Signals that this process was started to ignore would keep a command from hearing them (see exec(3)).
    @Test func itHearsSignalsThoughThisProcessIgnoresThem() async throws {
        try await OwnProcess.run { _ in
            signal(SIGINT, SIG_IGN)
            signal(SIGTERM, SIG_IGN)
            let bytes = try await ShellCommand("grep SigIgn /proc/self/status").output(limit: 100)
            let text = String(decoding: bytes, as: UTF8.self)
            let ignored = UInt64(text.split(separator: "\t").last?.dropLast() ?? "", radix: 16)
            // The C library may ignore signals of its own, 32 and 33.
            let named = UInt64(1) << (SIGINT - 1) | 1 << (SIGTERM - 1)
            exit(ignored.map { $0 & named } == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
