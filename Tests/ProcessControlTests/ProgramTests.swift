import Foundation
import Subprocess
import Synchronization
import TestSupport
import Testing

@testable import ProcessControl

@Suite(.bounded) struct ProgramTests {
    @Test("A program is found the way a shell finds it")
    func programIsFoundTheWayAShellFindsIt() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "one/tool", mode: 0o644)
        try folder.write("", to: "two/tool", mode: 0o755)
        try folder.write("", to: "here", mode: 0o755)
        let (one, two) = (folder.file("one"), folder.file("two"))
        func path(_ name: String, _ search: String?) throws -> String {
            try Program([name], in: folder.path, searching: search).path
        }
        #expect(try path("tool", "\(one):/none:\(two)") == two + "/tool")
        #expect(try path("tool", "one:two") == folder.path + "/two/tool")
        #expect(try path("here", "/none:") == folder.path + "/here")
        #expect(try path("two/tool", nil) == folder.path + "/two/tool")
        #expect(try ["/usr/bin/env", "/bin/env"].contains(path("env", nil)))
        try folder.write("", to: "two/\u{301}tool", mode: 0o755)
        #expect(try path("two/\u{301}tool", "/none") == folder.path + "/two/\u{301}tool")
        #expect(try path("tool", "/none\u{D4E}:\(two)") == two + "/tool")
        #expect(throws: ProgramNotStarted.self) { try path("here", "/none") }
        let refusal = #expect(throws: ProgramNotStarted.self) { try path("tool", one) }
        #expect(refusal?.reason == .notExecutable)
        #expect(refusal?.description.contains("chmod +x \(one)/tool") == true)
    }

    @Test(
        "The message about an unusable program gives the reason",
        arguments: [
            ("no-such-program", .notFound, "no folder in PATH"),
            ("./none", .notFound, "does not exist"), ("", .notFound, "not found"),
            (".", .notFound, "not found"), ("./", .notExecutable, "it is a folder"),
        ] as [(String, ProgramNotStarted.Reason, String)])
    func messageAboutAnUnusableProgramGivesTheReason(
        name: String, reason: ProgramNotStarted.Reason, words: String
    ) throws {
        let folder = try TemporaryFolder()
        let refusal = #expect(throws: ProgramNotStarted.self) {
            try Program([name], in: folder.path, searching: "/usr/bin:/bin")
        }
        #expect(refusal?.reason == reason)
        #expect(refusal?.description.contains(words) == true)
    }

    @Test("A command that exceeds its grace period is killed and reported")
    func commandThatExceedsItsGracePeriodIsKilledAndReported() async throws {
        let folder = try TemporaryFolder()
        let script = "trap '' TERM; : > ready; while :; do sleep 0.05; done"
        let program = try Program(
            ["sh", "-c", "cd '\(folder.path)' && \(script)"], in: "/", searching: nil)
        let troubles = Mutex<[ChildProgram.Trouble]>([])
        let child = ChildProgram(
            program: program, environment: .inherit, grace: .milliseconds(20),
            isForeground: { false },
            onTrouble: { trouble in
                troubles.withLock { $0.append(trouble) }
            })
        let (signals, signal) = AsyncStream.makeStream(of: Int32.self)
        let isReady = Milestone()
        let watch = try FolderWatch(folder.path) { _ in isReady.reach() }
        defer { watch.end() }
        async let code = child.run(signals)
        await isReady.wait()
        signal.yield(SIGTERM)
        #expect(try await code == 137)
        #expect(troubles.withLock { $0 } == [.killed(after: .milliseconds(20))])
    }
}
