import TestBackend
import TestSupport
import Testing

@Suite(.bounded) struct OperationsTests {
    @Test("The doctor explains what other commands refuse, and exits with 2")
    func doctorExplainsWhatOtherCommandsRefuseAndExitsWith2() async throws {
        let workspace = try Workspace()
        let result = try await Binary.run(
            ["doctor"], in: workspace, environment: ["HUBSEND_HUB_NAME": ""], status: 2)
        let lines = result.output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("fail  environment: ") })
        #expect(lines.contains { $0.hasPrefix("ok    memory: ") })
        #expect(result.complaints.isEmpty)
    }

    @Test("A command that fails before sending reports its exit code")
    func commandThatFailsBeforeSendingReportsItsExitCode() async throws {
        let workspace = try Workspace(["notice.yaml": "campaign: notice\n"])
        try await ScriptedBackend.run({ _, _ in .text("OK") }) { origin, service in
            let result = try await Binary.run(
                ["run", "notice.yaml"], in: workspace,
                environment: ["HUBSEND_HEARTBEAT": origin + "/abc123"], status: 1)
            #expect(service.requests.map(\.line) == ["POST /abc123/fail"])
            #expect(service.requests.first?.body == "exit code 1\n")
            #expect(!result.complaints.contains("abc123"))
        }
    }
}
