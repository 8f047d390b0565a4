import Foundation
import TestSupport
import Testing

/// Over TLS, the command finds the hub and the certificate to trust.
@Suite(.bounded) struct HubExecTLSTests {
    @Test(
        "A client that trusts the certificate in HUBSEND_HUB_CA can connect",
        .enabled(if: InstalledTool.areThere("curl")))
    func clientThatTrustsTheCertificateInHUBSENDHUBCACanConnect() async throws {
        let fixture = try ExecFixture([
            "check.sh": """
            place=${HUBSEND_HUB_TLS_CONNECTION_STRING#Endpoint=sb://}
            address="https://${place%%/*}/.hubsend"
            curl -sf --cacert "$HUBSEND_HUB_CA" "$address"
            stat -c %a "$HUBSEND_HUB_CA"
            curl -s "$address" || echo refused

            """
        ])
        let result = try await fixture.run(["sh", "check.sh"])
        #expect(result.output.contains("\"hubs\""), "\(result.output)")
        #expect(result.output.hasSuffix("600\nrefused\n"))
    }

    @Test("A run over TLS does not require the hub's name")
    func runOverTLSDoesNotRequireTheHubsName() async throws {
        let fixture = try ExecFixture(["notice.yaml": Campaigns.secure()])
        _ = try await fixture.run(
            [
                "env", "-u", "HUBSEND_HUB_NAME", "sh", "-c",
                """
                HUBSEND_HUB_CONNECTION_STRING=$HUBSEND_HUB_TLS_CONNECTION_STRING
                export HUBSEND_HUB_CONNECTION_STRING
                "$HUBSEND" run notice.yaml
                """,
            ], options: ["--devices", "devices.yaml"], status: 0)
    }

    @Test("The error about an untrusted certificate names the variable to set")
    func errorAboutAnUntrustedCertificateNamesTheVariableToSet() async throws {
        let fixture = try ExecFixture(["notice.yaml": Campaigns.secure()])
        let result = try await fixture.run(
            [
                "env", "-u", "HUBSEND_HUB_NAME", "-u", "HUBSEND_HUB_CA", "sh", "-c",
                """
                HUBSEND_HUB_CONNECTION_STRING=$HUBSEND_HUB_TLS_CONNECTION_STRING
                export HUBSEND_HUB_CONNECTION_STRING
                "$HUBSEND" run notice.yaml
                """,
            ], status: 2)
        #expect(result.complaints.contains("certificate is not trusted"), "\(result.complaints)")
        #expect(result.complaints.contains("HUBSEND_HUB_CA"))
    }
}
