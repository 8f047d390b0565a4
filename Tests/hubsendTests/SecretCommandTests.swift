import Foundation
import TestSupport
import Testing

@testable import hubsend

/// Commands that print secrets.
@Suite(.bounded) struct SecretCommandTests {
    private func run(
        _ command: String, patience: Duration = .seconds(30), limit: Int = 100
    ) async throws -> String {
        let bytes = try await SecretCommand(
            command: command, setting: "X_COMMAND", patience: patience
        ).output(limit: limit)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func whatItPrintsIsTheSecret() async throws {
        #expect(try await run("printf a; printf b >&2; printf c") == "ac")
    }

    @Test func whatItLeavesRunningIsNotWaitedFor() async throws {
        let text = try await run("sleep 300 & echo $!")
        let process = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(process, SIGKILL) == 0, "it was running on, with the other end of the pipe")
    }

    @Test func oneThatTakesTooLongIsEndedWithAllThatItStarted() async throws {
        let folder = try TemporaryFolder()
        let started = folder.file("started")
        let error = await #expect(throws: CommandFailure.self) {
            try await run(
                "trap '' TERM; sleep 300 & echo $! > \(started); wait; sleep 300",
                patience: .milliseconds(500))
        }
        #expect(error?.message.contains("X_COMMAND did not end within 1 s") == true)
        let process = try String(contentsOfFile: started, encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(!isRunning(process))
    }

    /// Whether a process is there, and not only waits for its parent to be told of its end.
    private func isRunning(_ process: String) -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        else { return false }
        return stat.split(separator: ")").last?.split(separator: " ").first != "Z"
    }

    @Test func oneThatFailsIsASentenceWithoutWhatItPrinted() async throws {
        let error = await #expect(throws: CommandFailure.self) {
            try await run("echo hush; exit 7")
        }
        #expect(error?.status == .configuration)
        #expect(error?.message.contains("7") == true)
        #expect(error?.message.contains("hush") == false)
    }

    @Test func oneThatPrintsWithoutEndIsReadToTheLimitOnly() async throws {
        let text = try await run("while :; do echo y; done", patience: .seconds(1))
        #expect(text.utf8.count > 100)
    }

    /// Signals that this process was started to ignore would keep a command from hearing them (see exec(3)).
    @Test func itHearsSignalsThoughThisProcessIgnoresThem() async throws {
        await #expect(processExitsWith: .success) {
            signal(SIGINT, SIG_IGN)
            signal(SIGTERM, SIG_IGN)
            let bytes = try await SecretCommand(
                command: "grep SigIgn /proc/self/status", setting: "X_COMMAND"
            ).output(limit: 100)
            let text = String(decoding: bytes, as: UTF8.self)
            let ignored = UInt64(text.split(separator: "\t").last?.dropLast() ?? "", radix: 16)
            // The C library may ignore signals of its own, 32 and 33.
            let named = UInt64(1) << (SIGINT - 1) | 1 << (SIGTERM - 1)
            exit(ignored.map { $0 & named } == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
