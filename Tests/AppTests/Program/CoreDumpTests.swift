import TestSupport
import Testing

/// A crash must not write memory, which contains keys and payloads, to the disk.
@Suite(.bounded) struct CoreDumpTests {
    /// Kills a shell, and then `hubsend`, with a signal that dumps memory; a child of `hubsend`
    /// sends the second signal.
    private static let script = """
        ulimit -c unlimited || exit 9
        sh -c 'kill -XCPU $$'
        "$HUBSEND" hub exec -- sh -c 'kill -XCPU $PPID'
        exit $?
        """

    @Test("A crash leaves no core dump") func crashLeavesNoCoreDump() async throws {
        let fixture = try ExecFixture()
        let shell = try await Binary.start(
            ["-c", Self.script], of: "/bin/sh", in: fixture.workspace,
            environment: fixture.environment())
        let result = try await shell.result()
        // The shell prints how each process ended.
        let ends = result.complaints.split(separator: "\n")
        guard ends.first?.contains("core dumped") == true else {
            try Test.cancel("No program leaves a core dump on this system, as it is set up.")
        }
        #expect(ends.count == 2, "\(result.complaints)")
        #expect(ends.last?.contains("core dumped") == false)
        #expect(result.status == 128 + 24)
    }
}
