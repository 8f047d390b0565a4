import Files
import Foundation
import TestSupport
import Testing

/// Tests that a command reacts to signals whenever it waits, even on one core, where Swift has only
/// one thread.
@Suite(.bounded, .enabled(if: InstalledTool.areThere("taskset", "setsid")))
struct OneCoreTests {
    /// A remote hub, so that the command asks on a terminal; nothing is ever sent to the hub.
    private static let distant = [
        "HUBSEND_HUB_CONNECTION_STRING":
            "Endpoint=sb://contoso.invalid/;SharedAccessKeyName=rule;SharedAccessKey=a2V5a2V5",
        "HUBSEND_HUB_NAME": "news",
    ]
    private static let near = [
        "HUBSEND_HUB_CONNECTION_STRING":
            "Endpoint=http://127.0.0.1:1/;SharedAccessKeyName=rule;SharedAccessKey=a2V5a2V5",
        "HUBSEND_HUB_NAME": "news",
    ]

    /// Starts the program on the first core that it may use.
    ///
    /// - Parameters:
    ///   - session: a program that in turn starts `hubsend`.
    ///   - streams: redirections in shell syntax.
    private func start(
        _ arguments: [String], in workspace: Workspace, environment: [String: String] = [:],
        session: String = "", streams: String = ""
    ) async throws -> ChildProcess {
        let script = #"""
            core=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\([0-9]*\).*/\1/p' /proc/self/status)
            exec SESSION taskset -c "$core" "$0" "$@" STREAMS
            """#
            .replacing("SESSION", with: session).replacing("STREAMS", with: streams)
        return try await Binary.start(
            ["-c", script, Binary.path] + arguments, of: "/bin/sh", in: workspace,
            environment: environment)
    }

    /// Asks on a terminal, and lets the test answer; returns the exit status.
    private func asked(
        in workspace: Workspace,
        _ answer: (PseudoTerminal, ChildProcess) -> Void
    ) async throws -> ChildProcess.Result {
        let terminal = try PseudoTerminal()
        defer { withExtendedLifetime(terminal) {} }
        let run = try await start(
            ["run", "notice.yaml"], in: workspace,
            environment: Self.distant.merging(["TERMINAL": terminal.path]) { $1 },
            session: "setsid --ctty", streams: #"<"$TERMINAL" 2>"$TERMINAL""#)
        try await run.wait(for: terminal.shows("[y/N]"))
        answer(terminal, run)
        return try await run.result()
    }

    @Test(
        "A signal during the question ends the run, and nothing is saved",
        arguments: [("\u{3}", 0, 130), ("", SIGINT, 130), ("", SIGTERM, 143)])
    func signalDuringTheQuestionEndsTheRunAndNothingIsSaved(
        key: String, signal: Int32, code: Int32
    ) async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(), "hubsend.yaml": "{}\n",
        ])
        let before = try workspace.listing()
        let result = try await asked(in: workspace) { terminal, run in
            key.isEmpty ? run.signal(signal) : terminal.press(key)
        }
        #expect(result.status == code)
        #expect(result.output.isEmpty)
        #expect(try workspace.listing() == before)
    }

    @Test("Only y and yes count as a yes", arguments: ["\u{4}", "\n", "no\n", "yess\n"])
    func onlyYAndYesCountAsAYes(keys: String) async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(), "hubsend.yaml": "{}\n",
        ])
        let before = try workspace.listing()
        let result = try await asked(in: workspace) { terminal, _ in terminal.press(keys) }
        #expect(result.status == 0)
        #expect(try workspace.listing() == before)
    }

    @Test(
        "A signal ends a preview that is still reading standard input",
        arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func signalEndsAPreviewThatIsStillReadingStandardInput(
        signal: Int32, code: Int32
    ) async throws {
        let workspace = try Workspace()
        let isMade = unsafe mkfifo(workspace.file("pipe"), 0o600) == 0
        #expect(isMade)
        // The pipe is also opened for reading, so that it does not end while the test has it open.
        let pipe = try #require(FileHandle(forUpdatingAtPath: workspace.file("pipe")))
        let preview = try await start(["preview", "-"], in: workspace, streams: "<pipe")
        let isReading = Milestone()
        // This is more than a pipe can hold, so writing continues only when somebody reads.
        DispatchQueue(label: "typing").async { [descriptor = pipe.fileDescriptor] in
            let text = [UInt8](repeating: UInt8(ascii: "#"), count: 200_000)
            _ = unsafe write(descriptor, text, text.count)
            isReading.reach()
        }
        try await preview.wait(for: isReading)
        preview.signal(signal)
        let result = try await preview.end(code)
        #expect(result.complaints.contains("interrupted; nothing was sent"))
        try pipe.close()
    }

    /// Another process that opens the store may be suspended, for example by Ctrl-Z.
    @Test("A signal ends a run that is waiting for the store")
    func signalEndsARunThatIsWaitingForTheStore() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let store = workspace.file(".hubsend/store.sqlite")
        try Folder.make(Path.folder(of: store))
        let file = try OpenFile(store, for: .creating)
        try file.setMode(0o640)
        let turn = try #require(try FileLock.take(1 << 60, of: file))
        let opening = Milestone()
        let watch = try FolderWatch(workspace.file(".hubsend"), withModes: true) { _ in
            opening.reach()
        }
        defer { watch.end() }
        let run = try await start(
            ["run", "notice.yaml"], in: workspace, environment: Self.near)
        // The program has already set the mode. A signal works even before the program waits for
        // the lock.
        try await run.wait(for: opening)
        run.signal(SIGINT)
        let result = try await run.end(130)
        #expect(result.complaints.contains("interrupted; nothing was sent"))
        turn.release()
    }
}
