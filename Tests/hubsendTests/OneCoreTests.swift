import Files
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import hubsend

/// Signals are heard at once at whatever a command waits for, also on one core, where Swift has one thread.
@Suite(.bounded, .enabled(if: InstalledTool.areThere("taskset", "setsid")))
struct OneCoreTests {
    /// A hub that is not on this machine, so that a terminal is asked; nothing is ever sent to it.
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

    /// Starts it with one core, which a shell sees to.
    private func start(
        _ script: String, _ arguments: [String], in workspace: Workspace,
        environment: [String: String] = [:]
    ) async throws -> ChildProcess {
        try await Binary.start(
            ["-c", script, Binary.path] + arguments, of: "/bin/sh", in: workspace,
            environment: environment)
    }

    /// Asks on a terminal, and lets the test answer.
    ///
    /// - Returns: what the program ended with.
    private func asked(
        in workspace: Workspace,
        _ answer: (PseudoTerminal, ChildProcess) -> Void
    ) async throws -> ChildProcess.Result {
        let terminal = try PseudoTerminal()
        let modes = terminal.modes
        let run = try await start(
            #"exec setsid --ctty taskset -c 0 "$0" "$@" <"$TERMINAL" 2>"$TERMINAL""#,
            ["run", "notice.yaml"], in: workspace,
            environment: Self.distant.merging(["TERMINAL": terminal.path]) { $1 })
        try await run.wait(for: terminal.shows("[y/N]"))
        answer(terminal, run)
        let result = try await run.result()
        #expect(terminal.modes == modes)
        return result
    }

    @Test(arguments: [("\u{3}", 0, 130), ("", SIGINT, 130), ("", SIGTERM, 143)])
    func aSignalAtTheQuestionEndsTheRunAndStoresNothing(
        key: String, signal: Int32, code: Int32
    ) async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let before = try workspace.listing()
        let result = try await asked(in: workspace) { terminal, run in
            key.isEmpty ? run.signal(signal) : terminal.press(key)
        }
        #expect(result.status == code)
        #expect(result.output.isEmpty)
        #expect(try workspace.listing() == before)
    }

    @Test(arguments: ["\u{4}", "\n", "no\n", "yess\n"])
    func theEndOfTheInputAndAllButYesAreANo(keys: String) async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let before = try workspace.listing()
        let result = try await asked(in: workspace) { terminal, _ in terminal.press(keys) }
        #expect(result.status == 2)
        #expect(try workspace.listing() == before)
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func aSignalEndsAPreviewOfACampaignThatIsStillTyped(
        signal: Int32, code: Int32
    ) async throws {
        let workspace = try Workspace()
        let isMade = unsafe mkfifo(workspace.file("pipe"), 0o600) == 0
        #expect(isMade)
        // For reading too, so that the pipe has no end as long as the test has it.
        let pipe = try #require(FileHandle(forUpdatingAtPath: workspace.file("pipe")))
        let preview = try await start(
            #"exec taskset -c 0 "$0" "$@" <pipe"#, ["preview", "-"], in: workspace)
        let isReading = Milestone()
        // More than a pipe holds: it is written only when some of it was read.
        DispatchQueue(label: "typing").async { [descriptor = pipe.fileDescriptor] in
            let text = [UInt8](repeating: UInt8(ascii: "#"), count: 200_000)
            _ = unsafe write(descriptor, text, text.count)
            isReading.reach()
        }
        try await preview.wait(for: isReading)
        preview.signal(signal)
        let result = try await preview.result()
        #expect(result.status == code)
        #expect(result.complaints == "hubsend: interrupted; nothing was sent\n")
        try pipe.close()
    }

    /// Another process that opens the store may be stopped meanwhile, by Ctrl-Z for example.
    @Test func aSignalEndsARunThatWaitsForTheStore() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let store = workspace.file(".hubsend/store.sqlite")
        try Folder.make(Path.folder(of: store))
        let turn = try #require(try FileLock.take(of: OpenFile(store + ".lock", for: .locking)))
        let created = Milestone()
        let watch = try FolderWatch(workspace.file(".hubsend")) { _ in created.reach() }
        defer { watch.end() }
        let run = try await start(
            #"exec taskset -c 0 "$0" "$@""#, ["run", "notice.yaml"], in: workspace,
            environment: Self.near)
        // Between this and the wait for its turn it does nothing that a signal could end.
        try await run.wait(for: created)
        run.signal(SIGINT)
        let result = try await run.result()
        #expect(result.status == 130)
        #expect(result.complaints == "hubsend: interrupted; nothing was sent\n")
        turn.release()
    }

    /// Work that keeps all of Swift's threads busy, as sorting keeps the only one on one core.
    @Test func aSignalIsHeardWhileAllThreadsAreBusy() async {
        await #expect(processExitsWith: .success) {
            let threads = ProcessInfo.processInfo.activeProcessorCount
            let busy = Busy()
            let (_, signal) = try await SignalWatch.run {
                await withTaskGroup(of: Void.self) { tasks in
                    for _ in 0..<threads {
                        tasks.addTask {
                            if busy.begin() == threads { kill(getpid(), SIGTERM) }
                            while !Task.isCancelled {}
                        }
                    }
                }
            }
            exit(signal == .terminated ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}

/// Counts the tasks that are under way.
private final class Busy: Sendable {
    private let count = Mutex(0)

    func begin() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
