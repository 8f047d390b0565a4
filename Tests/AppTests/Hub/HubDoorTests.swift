import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// The two ports of `hubsend hub`, its page, and its messages about them.
@Suite(.bounded) struct HubDoorTests {
    private static func ready(_ hub: ChildProcess) async throws -> [String: Any] {
        let line = try await hub.firstLine()
        return try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test func aRunGoesThroughTLSWithTheCertificateThatTheHubWrote() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure(), "ca.pem": ""])
        let hub = try await Binary.start(
            ["hub", "--json", "--devices", "devices.yaml", "--ca-file", "ca.pem"], in: workspace)
        let ready = try await Self.ready(hub)
        let https = try #require(ready["https"] as? [String: String])
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
            ["run", "notice.yaml", "--json"], in: workspace, environment: environment)
        #expect(run.status == 0, "\(run.complaints)")
        #expect(run.output.contains(#""accepted":2"#), "\(run.output)")
        let untrusted = try await Binary.run(
            ["run", "notice.yaml", "--again"], in: workspace,
            environment: environment.filter { $0.key != "HUBSEND_HUB_CA" })
        #expect(untrusted.status != 0)
        hub.signal(SIGTERM)
        #expect(try await hub.result().status == 0)
    }

    @Test func theReadyLineNamesTheInbox() async throws {
        let workspace = try Workspace()
        let hub = try await Binary.start(["hub", "--json"], in: workspace)
        let ready = try await Self.ready(hub)
        let inbox = try #require(ready["inbox"] as? String)
        let url = try #require(URL(string: inbox))
        let (page, response) = try await URLSession.shared.data(from: url)
        let answer = try #require(response as? HTTPURLResponse)
        #expect(answer.statusCode == 200)
        #expect(answer.value(forHTTPHeaderField: "Content-Type") == "text/html; charset=utf-8")
        #expect(String(decoding: page, as: UTF8.self).contains("<title>"))
        hub.signal(SIGTERM)
        #expect(try await hub.result().status == 0)
    }

    @Test func aPersonIsToldWhereTheInboxIsAndWhatToTrust() async throws {
        let workspace = try Workspace()
        let hub = try await Binary.start(["hub", "--ca-file", "ca.pem"], in: workspace)
        let beginning = try await hub.firstLine()
        hub.signal(SIGTERM)
        let end = try await hub.result()
        #expect(end.status == 0)
        for text in [
            "inbox  http://127.0.0.1:", "https  https://localhost:", "Endpoint=sb://", "ca.pem",
        ] {
            #expect((beginning + end.output).contains(text), "\(text)")
        }
    }

    @Test(arguments: [
        (["--tls-cert", "a.pem"], "belong together"), (["--tls-key", "a.pem"], "belong together"),
        (["--tls-cert", "a", "--tls-key", "b", "--ca-file", "c"], "leave one of them out"),
        (["--tls-cert", "none.pem", "--tls-key", "devices.yaml"], "none.pem"),
        (["--tls-cert", "devices.yaml", "--tls-key", "devices.yaml"], "PEM"),
        (["--ca-file", "devices.yaml"], "was left as it is"), (["--ca-file", ""], "names no file"),
        (["--ca-file", "."], "was left as it is"),
        (["--ca-file", "devices.yaml/x"], "devices.yaml"),
        (["--tls-port", "65536"], "65536"), (["--port", "81", "--tls-port", "81"], "another one"),
        (["--tls-port", "many"], "--tls-port"),
        (["--backend", "https://a.example"], "belong together"),
        (["--user", "alice"], "belong together"),
        (["--backend", "https://a.example", "--user", "alice"], "HUBSEND_DEVICE_PASSWORD"),
        (["--allow-host", "*"], "wildcard"), (["--allow-host", "a:80"], "\"a:80\""),
    ])
    func aFlagThatMakesNoSenseIsASentenceAndCode2(arguments: [String], text: String) async throws {
        let workspace = try Workspace()
        let before = try workspace.text("devices.yaml")
        let result = try await Binary.run(["hub"] + arguments, in: workspace)
        #expect(result.status == 2, "\(result.output)")
        #expect(result.complaints.contains(text), "\(result.complaints)")
        #expect(try workspace.text("devices.yaml") == before)
    }

    @Test func aKeyThatOthersCanReadIsRefused() async throws {
        let workspace = try Workspace(["cert.pem": "x", "key.pem": "secret"])
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: workspace.file("key.pem"))
        let result = try await Binary.run(
            ["hub", "--tls-cert", "cert.pem", "--tls-key", "key.pem"], in: workspace)
        #expect(result.status == 2)
        #expect(result.complaints.contains("chmod 600"), "\(result.complaints)")
        #expect(!result.complaints.contains("secret"))
    }

    @Test func aHostIsAllowedByItsName() async throws {
        let workspace = try Workspace()
        let hub = try await Binary.start(
            ["hub", "--json", "--allow-host", "hub.example"], in: workspace)
        let ready = try await Self.ready(hub)
        let http = try #require(ready["http"] as? [String: String])
        let base = try #require(http["url"])
        let url = try #require(URL(string: base + "/.hubsend"))
        for (host, status) in [("hub.example", 200), ("evil.example", 403)] {
            var request = URLRequest(url: url)
            request.setValue(host, forHTTPHeaderField: "Host")
            let (_, response) = try await URLSession.shared.data(for: request)
            #expect((response as? HTTPURLResponse)?.statusCode == status, "\(host)")
        }
        hub.signal(SIGTERM)
        #expect(try await hub.result().status == 0)
    }
}
