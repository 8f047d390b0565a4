import TestSupport
import Testing

/// A variable of ours that is set to nothing is a mistake, and never taken for one that is not set.
@Suite(.bounded) struct EmptyVariableTests {
    @Test func anEmptySecretDoesNotChooseTheLocalHub() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace,
            environment: ["HUBSEND_HUB_CONNECTION_STRING": ""])
        #expect(result.status == 2)
        #expect(
            result.complaints
                == "hubsend: The variable HUBSEND_HUB_CONNECTION_STRING is set, but empty. Give it a value, or unset it.\n"
        )
        #expect(try !workspace.listing().contains(".hubsend"))
    }

    @Test(arguments: [
        ["validate"], ["preview", "notice.yaml"], ["runs"], ["report"], ["stop", "--all"],
        ["resume", "20261201T090000Z-k3v7qa"], ["payload", "list"], ["serve"],
        ["device", "--user", "alice", "--platform", "apns"], ["hub", "exec", "--", "true"],
        ["hub", "--devices", "none.yaml"],
    ])
    func everyCommandRefusesIt(arguments: [String]) async throws {
        let result = try await Binary.run(
            arguments, in: Workspace(["notice.yaml": Campaigns.secure()]),
            environment: ["HUBSEND_HUB_NAME": "", "HUBSEND_STORE": ""])
        #expect(result.status == 2)
        #expect(
            result.complaints.contains(
                "The variables HUBSEND_HUB_NAME, HUBSEND_STORE are set, but empty."),
            "\(result.complaints)")
    }

    @Test(arguments: [[], ["--help"], ["--version"], ["run", "--help"], ["payload"]])
    func helpIsGivenAllTheSame(arguments: [String]) async throws {
        let result = try await Binary.run(
            arguments, in: Workspace(), environment: ["HUBSEND_STORE": ""])
        #expect(result.status == 0, "\(result.complaints)")
        #expect(!result.output.isEmpty)
    }
}
