import TestSupport
import Testing

/// A misspelled variable does not choose another hub.
@Suite(.bounded) struct MisspelledVariableTests {
    @Test func aSlipInTheNameOfAVariableIsRefused() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let before = try workspace.listing()
        let result = try await Binary.run(
            ["run", "notice.yaml"], in: workspace,
            environment: [
                "HUBSEND_HUB_CONECTION_STRING": "x", "HUBSEND_PAYLOAD_KEYFILE": "key",
                "HUBSEND_COLOR": "blue",
            ])
        #expect(result.status == 2)
        #expect(
            result.complaints
                == "hubsend: There is no variable HUBSEND_HUB_CONECTION_STRING; did you mean HUBSEND_HUB_CONNECTION_STRING? "
                + "There is no variable HUBSEND_PAYLOAD_KEYFILE; did you mean HUBSEND_PAYLOAD_KEY_FILE?\n"
        )
        #expect(try workspace.listing() == before)
    }
}
