import Foundation
import LocalHub
import Logging
import Subprocess
import TestSupport
import Testing

@testable import hubsend

/// The parts of `hubsend hub exec` that have cases of their own.
@Suite(.bounded) struct ExecPartsTests {
    private static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func invocation(in folder: String, path: String) -> Invocation {
        Invocation(
            environment: ["PATH": path], currentFolder: folder, isOutputTerminal: false,
            isErrorTerminal: false, isInputTerminal: false)
    }

    @Test func theFirstSignalEndsTheSecondKillsAndATerminalsKeysAreLeft() {
        var relay = SignalRelay()
        #expect(relay.step(for: SIGINT, isForeground: true) == .leave)
        #expect(relay.step(for: SIGQUIT, isForeground: true) == .leave)
        #expect(relay.step(for: SIGUSR1, isForeground: true) == .forward(SIGUSR1))
        #expect(relay.step(for: SIGINT, isForeground: false) == .end(SIGINT))
        #expect(relay.step(for: SIGUSR2, isForeground: false) == .forward(SIGUSR2))
        #expect(relay.step(for: SIGINT, isForeground: true) == .leave)
        #expect(relay.step(for: SIGTERM, isForeground: false) == .kill)
    }

    @Test func aProgramIsFoundAsAShellFindsIt() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "one/tool", mode: 0o644)
        try folder.write("", to: "two/tool", mode: 0o755)
        try folder.write("", to: "here", mode: 0o755)
        let (one, two) = (folder.file("one"), folder.file("two"))
        func path(_ name: String, _ search: String) throws -> String {
            try Program([name], Self.invocation(in: folder.path, path: search)).path
        }
        #expect(try path("tool", "\(one):/none:\(two)") == two + "/tool")
        #expect(try path("tool", "one:two") == folder.path + "/two/tool")
        #expect(try path("here", "/none:") == folder.path + "/here")
        #expect(try path("two/tool", "") == folder.path + "/two/tool")
        #expect(throws: ProgramNotStarted.self) { try path("here", "/none") }
        let refusal = #expect(throws: ProgramNotStarted.self) { try path("tool", one) }
        #expect(refusal?.reason == .notExecutable)
        #expect(refusal?.description.contains("chmod +x \(one)/tool") == true)
    }

    @Test
    func aCommandThatOutlivesItsGraceIsKilled() async throws {
        let folder = try TemporaryFolder()
        let script = "trap '' TERM; : > ready; while :; do sleep 0.05; done"
        let program = try Program(
            ["sh", "-c", "cd '\(folder.path)' && \(script)"],
            Self.invocation(in: "/", path: "/usr/bin:/bin"))
        let child = ChildProgram(
            program: program, environment: .inherit, grace: .milliseconds(20),
            isForeground: { false })
        let (signals, signal) = AsyncStream.makeStream(of: Int32.self)
        let isReady = Milestone()
        let watch = try FolderWatch(folder.path) { _ in isReady.reach() }
        defer { watch.end() }
        async let code = child.run(signals)
        await isReady.wait()
        signal.yield(SIGTERM)
        #expect(try await code == 137)
    }

    @Test
    func aHubThatFailsEndsTheCommandAndIsTheReason() async throws {
        struct Broken: Error {}
        let (running, isRunning) = AsyncStream.makeStream(of: Void.self)
        let failure = await #expect(throws: CommandFailure.self) {
            _ = try await HubWithWork.run { onReady in
                onReady(LocalHubAddress(host: "127.0.0.1", port: 1, hubName: "hub"))
                for await _ in running {}
                throw LocalHubError.portInUse(host: "127.0.0.1", port: 1)
            } _: { _ in
                let program = try Program(
                    ["sleep", "600"], Self.invocation(in: "/", path: "/usr/bin:/bin"))
                let (signals, _) = AsyncStream.makeStream(of: Int32.self)
                isRunning.finish()
                return try await ChildProgram(program: program, environment: .inherit).run(signals)
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

    @Test func onlyRemnantsOfThisFormThatNobodyHoldsAreRemoved() throws {
        let parent = try TemporaryFolder()
        let used = try ExecFolder(in: parent.path)
        try parent.write("x", to: "hubsend-exec-AAAAAA/store.sqlite")
        try parent.write("x", to: "hubsend-exec-AAAAA/kept")
        try parent.write("x", to: "hubsend-exec-AAAA.A/kept")
        try parent.write("x", to: "hubsend-exec-BBBBBB")
        try parent.write("x", to: "elsewhere/kept")
        try parent.link("hubsend-exec-CCCCCC", to: parent.file("elsewhere"))
        let before = try parent.contents()
        ExecFolder.removeRemnants(in: parent.path, logger: Self.silent)
        #expect(try parent.contents() == before.filter { $0 != "hubsend-exec-AAAAAA" })
        #expect(FileManager.default.fileExists(atPath: parent.file("elsewhere/kept")))
        #expect(FileManager.default.fileExists(atPath: used.reports))
        try used.remove()
        #expect(!FileManager.default.fileExists(atPath: used.path))
    }

    @Test func foldersThatAreMadeAndSweptAtTheSameTimeAllStay() async throws {
        let parent = try TemporaryFolder()
        let folders = try await withThrowingTaskGroup(of: ExecFolder.self) { tasks in
            for _ in 0..<40 {
                tasks.addTask { try ExecFolder(in: parent.path) }
                tasks.addTask {
                    ExecFolder.removeRemnants(in: parent.path, logger: Self.silent)
                    return try ExecFolder(in: parent.path)
                }
            }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(folders.map(\.path)).count == 80)
        for folder in folders {
            #expect(FileManager.default.fileExists(atPath: folder.reports))
        }
    }
}
