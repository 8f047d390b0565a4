import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct HubExecSignalTests {
    /// Prints its own process ID, then waits in the same process.
    private static let waiting = "echo $$; exec sleep 600"

    @Test(
        "A signal ends the command and leaves nothing behind",
        arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGUSR1, 138)] as [(Int32, Int32)])
    func signalEndsTheCommandAndLeavesNothingBehind(signal: Int32, status: Int32) async throws {
        let fixture = try ExecFixture()
        let (running, words) = try await fixture.start(Self.waiting)
        #expect(try ExecFixture.isThere(words[0]))
        #expect(try fixture.folders().count == 1)
        running.signal(signal)
        let result = try await running.end(status)
        #expect(result.complaints.isEmpty, "\(result.complaints)")
        #expect(try !ExecFixture.isThere(words[0]))
        #expect(try fixture.folders().isEmpty)
    }

    @Test(
        "A signal also ends the command's children", .enabled(if: InstalledTool.areThere("setsid")))
    func signalAlsoEndsTheCommandsChildren() async throws {
        let fixture = try ExecFixture()
        // The shell exits immediately; its child must not outlive the hub.
        let running = try await Binary.start(
            [
                "--wait", Binary.path, "hub", "exec", "--", "sh", "-c",
                "sh -c 'echo $PPID $$; exec sleep 600'; true",
            ], of: try #require(InstalledTool.path(of: "setsid")), in: fixture.workspace,
            environment: fixture.environment())
        let words = try await running.firstLine().split(whereSeparator: \.isWhitespace)
        let shell = try #require(words.first.map(String.init))
        let hubsend = try #require(try ExecFixture.parent(of: shell))
        kill(hubsend, SIGTERM)
        #expect(try await running.result().status == 143)
        #expect(try !ExecFixture.isThere(String(try #require(words.last))))
        #expect(try fixture.folders().isEmpty)
    }

    @Test("Without a terminal, SIGINT is forwarded", .enabled(if: InstalledTool.areThere("setsid")))
    func withoutATerminalSIGINTIsForwarded() async throws {
        let fixture = try ExecFixture()
        // A new session has no terminal, even if the tests run on one.
        let running = try await Binary.start(
            [
                "--wait", Binary.path, "hub", "exec", "--", "sh", "-c",
                "trap 'exit 9' INT; echo $PPID; while :; do sleep 0.05; done",
            ], of: try #require(InstalledTool.path(of: "setsid")), in: fixture.workspace,
            environment: fixture.environment())
        let process = try #require(
            Int32(try await running.firstLine().trimmingCharacters(in: .newlines)))
        kill(process, SIGINT)
        #expect(try await running.result().status == 9)
        #expect(try fixture.folders().isEmpty)
    }

    @Test("After a signal, the exit code of the command is returned")
    func afterASignalTheExitCodeOfTheCommandIsReturned() async throws {
        let fixture = try ExecFixture()
        let (running, _) = try await fixture.start(
            "trap 'echo bye; exit 5' TERM; echo ready; while :; do sleep 0.05; done")
        running.signal(SIGTERM)
        let result = try await running.end(5)
        #expect(result.output == "bye\n")
        #expect(try fixture.folders().isEmpty)
    }

    @Test("A second signal kills a command that ignores the first one")
    func secondSignalKillsACommandThatIgnoresTheFirstOne() async throws {
        let fixture = try ExecFixture()
        let (running, words) = try await fixture.start(
            "trap '' TERM HUP; echo $$; while :; do sleep 0.05; done")
        running.signal(SIGTERM)
        running.signal(SIGHUP)
        #expect(try await running.result().status == 137)
        #expect(try !ExecFixture.isThere(words[0]))
        #expect(try fixture.folders().isEmpty)
    }

    @Test("The next start removes what a killed call left behind")
    func nextStartRemovesWhatAKilledCallLeftBehind() async throws {
        let fixture = try ExecFixture(["outside/kept": "kept"])
        let outside = fixture.workspace.file("outside")
        let (running, words) = try await fixture.start(
            """
            cd "$(dirname "$HUBSEND_STORE")" && ln -s '\(outside)' link && mkdir sub && touch sub/x
            \(Self.waiting)
            """)
        running.signal(SIGKILL)
        _ = try await running.result()
        kill(try #require(Int32(words[0])), SIGKILL)
        #expect(try fixture.folders().count == 1, "nobody was there to remove it")
        #expect(try await fixture.run(["true"]).status == 0)
        #expect(try fixture.folders().isEmpty)
        #expect(try fixture.workspace.text("outside/kept") == "kept")
    }

    @Test(
        "On a terminal, only the command handles Ctrl-C",
        .enabled(if: InstalledTool.areThere("python3")))
    func onATerminalOnlyTheCommandHandlesCtrlC() async throws {
        let fixture = try ExecFixture([
            "terminal.py": """
            import os, pty, sys

            process, terminal = pty.fork()
            if process == 0:
                script = (
                    'trap "echo caught" INT; echo ready; '
                    'while [ "$answer" != done ]; do read answer; done; echo went on')
                hubsend = os.environ["HUBSEND"]
                os.execv(hubsend, [hubsend, "hub", "exec", "--", "sh", "-c", script])
            seen = b""

            def until(text, count=1):
                global seen
                while seen.count(text) < count:
                    try:
                        piece = os.read(terminal, 4096)
                    except OSError:
                        piece = b""
                    if not piece:
                        sys.exit(f"{text!r} did not come, but {seen!r}")
                    seen += piece

            until(b"ready")
            for count in range(1, 4):
                os.write(terminal, b"\\x03")
                until(b"caught", count)
            os.write(terminal, b"done\\n")
            until(b"went on")
            status = os.waitpid(process, 0)[1]
            print(seen.count(b"caught"), os.waitstatus_to_exitcode(status))

            """
        ])
        let result = try await Binary.start(
            ["terminal.py"], of: try #require(InstalledTool.path(of: "python3")),
            in: fixture.workspace, environment: fixture.environment()
        ).end(0)
        #expect(result.output == "3 0\n")
        #expect(try fixture.folders().isEmpty)
    }
}
