import Foundation
import TestSupport
import Testing

@testable import ProcessControl

@Suite(.bounded) struct ShellCommandTests {
    private func run(
        _ command: String, timeout: Duration = .seconds(30), limit: Int = 100
    ) async throws -> String {
        let bytes = try await ShellCommand(command, timeout: timeout).output(limit: limit)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("The output of a command is read") func outputOfACommandIsRead() async throws {
        #expect(try await run("printf a; printf b >&2; printf c") == "ac")
    }

    @Test("Background processes of a command are not awaited")
    func backgroundProcessesOfACommandAreNotAwaited() async throws {
        let text = try await run("sleep 300 & echo $!")
        let process = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(process, SIGKILL) == 0, "it was running on, with the other end of the pipe")
    }

    @Test("A command that takes too long is stopped")
    func commandThatTakesTooLongIsStopped() async throws {
        let error = await #expect(throws: ShellCommand.Failure.self) {
            try await run("exec sleep 300", timeout: .milliseconds(50))
        }
        #expect(error == .tookTooLong(.milliseconds(50)))
        #expect(error?.description.hasPrefix("did not finish within 1 s.") == true)
    }

    @Test(
        "Stopping a command stops everything that it started",
        arguments: [
            "trap '' TERM; sleep 300 & wait; sleep 300", "(trap '' TERM; sleep 300) & wait",
        ])
    func stoppingACommandStopsEverythingThatItStarted(command: String) async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.file("pipe")
        let isMade = unsafe mkfifo(pipe, 0o600) == 0
        #expect(isMade)
        // The pipe ends once no process holds it open.
        let witness = try await ChildProcess.start("/bin/cat", [pipe])
        let running = Task { try await run("exec 3>\(pipe); echo ready >&3; \(command)") }
        #expect(try await witness.firstLine() == "ready")
        running.cancel()
        await #expect(throws: (any Error).self) { try await running.value }
        #expect(try await witness.result().status == 0)
    }

    @Test("The message about a failed command does not contain its output")
    func messageAboutAFailedCommandDoesNotContainItsOutput() async throws {
        let error = await #expect(throws: ShellCommand.Failure.self) {
            try await run("echo hush; exit 7")
        }
        #expect(error == .exited(7))
        #expect(error?.description == "exited with 7. Run it by hand to see why")
    }

    @Test("Endless output is read only up to the limit")
    func endlessOutputIsReadOnlyUpToTheLimit() async throws {
        let text = try await run("while :; do echo y; done", timeout: .seconds(3))
        #expect(text.utf8.count > 100)
    }

    /// A command would inherit ignored signals from this process (see exec(3)).
    @Test("A command receives signals that this process ignores")
    func commandReceivesSignalsThatThisProcessIgnores() async throws {
        try await OwnProcess.run { _ in
            signal(SIGINT, SIG_IGN)
            signal(SIGTERM, SIG_IGN)
            let bytes = try await ShellCommand("grep SigIgn /proc/self/status").output(limit: 100)
            let text = String(decoding: bytes, as: UTF8.self)
            let ignored = UInt64(text.split(separator: "\t").last?.dropLast() ?? "", radix: 16)
            // The C library may ignore its own signals, 32 and 33.
            let named = UInt64(1) << (SIGINT - 1) | 1 << (SIGTERM - 1)
            exit(ignored.map { $0 & named } == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
