import Foundation
import FoundationNetworking
import TestSupport
import Testing

@Suite(.bounded) struct HubAddressTests {
    @Test("A run over TLS trusts the certificate that the hub wrote")
    func runOverTLSTrustsTheCertificateThatTheHubWrote() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure(), "ca.pem": ""])
        let hub = try await RunningHub.start(
            ["--devices", "devices.yaml", "--ca-file", "ca.pem"], in: workspace)
        let https = hub.https
        #expect(https["url"]?.hasPrefix("https://localhost:") == true)
        let connectionString = try #require(https["connection_string"])
        #expect(connectionString.hasPrefix("Endpoint=sb://localhost:"))
        let certificate = try workspace.text("ca.pem")
        #expect(certificate.hasPrefix("-----BEGIN CERTIFICATE-----"))
        #expect(https["ca"] == certificate)
        let environment = [
            "HUBSEND_HUB_CONNECTION_STRING": connectionString, "HUBSEND_HUB_NAME": "hubsend",
            "HUBSEND_HUB_CA": workspace.file("ca.pem"),
        ]
        let run = try await Binary.run(
            ["run", "notice.yaml", "--json"], in: workspace, environment: environment, status: 0)
        #expect(run.output.contains(#""accepted":2"#), "\(run.output)")
        let untrusted = try await Binary.run(
            ["run", "notice.yaml", "--again"], in: workspace,
            environment: environment.filter { $0.key != "HUBSEND_HUB_CA" })
        #expect(untrusted.status != 0)
        try await hub.stop()
    }

    @Test("The ready line names the inbox") func readyLineNamesTheInbox() async throws {
        let hub = try await RunningHub.start(in: Workspace())
        let url = try #require(URL(string: hub.inbox))
        let (page, response) = try await URLSession.shared.data(from: url)
        let answer = try #require(response as? HTTPURLResponse)
        #expect(answer.statusCode == 200)
        #expect(answer.value(forHTTPHeaderField: "Content-Type") == "text/html; charset=utf-8")
        #expect(String(decoding: page, as: UTF8.self).contains("<title>"))
        try await hub.stop()
    }

    @Test("The text output names the inbox and the certificate to trust")
    func textOutputNamesTheInboxAndTheCertificateToTrust() async throws {
        let workspace = try Workspace()
        let hub = try await Binary.start(["hub", "--ca-file", "ca.pem"], in: workspace)
        let beginning = try await hub.firstLine()
        hub.signal(SIGTERM)
        let end = try await hub.end(0)
        for text in [
            "inbox  http://127.0.0.1:", "https  https://localhost:", "Endpoint=sb://", "ca.pem",
        ] {
            #expect((beginning + end.output).contains(text), "\(text)")
        }
    }

    @Test("Requests for an allowed host name are answered")
    func requestsForAnAllowedHostNameAreAnswered() async throws {
        let hub = try await RunningHub.start(["--allow-host", "hub.example"], in: Workspace())
        for (host, status) in [("hub.example", 200), ("evil.example", 403)] {
            let answer = try await hub.ask("") { $0.setValue(host, forHTTPHeaderField: "Host") }
            #expect(answer.status == status, "\(host)")
        }
        try await hub.stop()
    }
}
