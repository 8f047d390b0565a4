import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct HubTests {
    @Test("A run reaches the hub that the ready line describes")
    func runReachesTheHubThatTheReadyLineDescribes() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let hub = try await RunningHub.start(["--devices", "devices.yaml"], in: workspace)
        #expect(hub.keys == ["http", "https", "hub", "inbox"])
        try await Binary.run(
            ["run", "notice.yaml"], in: workspace, environment: hub.environment, status: 0)
        #expect(try await hub.ask("/devices/alice").text.contains("secureId"))
        try await hub.stop()
    }

    @Test("A port in use is reported in a sentence")
    func portInUseIsReportedInASentence() async throws {
        let workspace = try Workspace()
        try await HubFixture.run { environment, _ in
            let string = try #require(environment["HUBSEND_HUB_CONNECTION_STRING"])
            let port = try #require(
                string.split(separator: "/").first { $0.contains(":") && $0.contains("127") }?
                    .split(separator: ":").last)
            let result = try await Binary.run(
                ["hub", "--port", String(port)], in: workspace, status: 2)
            #expect(result.complaints.contains("the port is in use; stop the other program"))
        }
    }

    @Test("Injected faults affect a run") func injectedFaultsAffectARun() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(),
            "faults.yaml": "faults: [{ wrong_tokens: 100% }]\n",
        ])
        let hub = try await RunningHub.start(
            [
                "--devices", "devices.yaml", "--faults", "faults.yaml", "--fault",
                "status: 400, first: 1, last: 1", "--seed", "7", "--telemetry-delay", "1h",
            ], in: workspace)
        let run = try await Binary.run(
            ["run", "notice.yaml", "--json"], in: workspace, environment: hub.environment,
            status: 3)
        #expect(run.output.contains("\"rejected\":1"), "\(run.output)")
        #expect(try await !hub.ask("/devices/alice").text.contains("Success"))
        try await hub.stop(by: SIGINT)
    }

    @Test(
        "A wrong flag is explained and exits with 2",
        arguments: [
            (
                ["--fault", "status: 200"],
                "error: \"status\" must be from 400 to 599."
            ),
            (["--faults", "none.yaml"], "none.yaml"),
            (["--telemetry-delay", "soon"], "--telemetry-delay"),
            (["--seed", "-1"], "--seed"),
            (["--port", "1", "--listen", "127.0.0.1:0"], "be combined"),
            (["--listen", "127.0.0.1"], "write a host and a port"),
            (["--listen", "nohost.invalid:0"], "HUBSEND_LOCAL_HUB_KEYS"),
            (["--listen", "127.99.99.99:99999"], "write a host and a port"),
            (["--telemetry-delay", "10"], "such as 10s"),
            (["--state", ""], "--state does not name a file"),
            (["--state", "none/state"], "check its folder"),
            (["--fault", "status: 500", "--fault", "latency: 50"], "--fault (number 2):1:"),
            (["--listen", "0.0.0.0:0"], "HUBSEND_LOCAL_HUB_KEYS"),
            (["--tls-cert", "a.pem"], "must be used together"),
            (["--tls-key", "a.pem"], "must be used together"),
            (["--tls-cert", "a", "--tls-key", "b", "--ca-file", "c"], "leave one of them out"),
            (["--tls-cert", "none.pem", "--tls-key", "devices.yaml"], "none.pem"),
            (["--tls-cert", "devices.yaml", "--tls-key", "devices.yaml"], "PEM"),
            (["--tls-cert", "devices.yaml", "--tls-key", "open.pem"], "chmod 600"),
            (["--ca-file", "devices.yaml"], "was left unchanged"),
            (["--ca-file", ""], "does not name a file"),
            (["--ca-file", "."], "was left unchanged"),
            (["--ca-file", "devices.yaml/x"], "devices.yaml"),
            (["--tls-port", "65536"], "65536"),
            (["--port", "81", "--tls-port", "81"], "another port"),
            (["--tls-port", "many"], "--tls-port"),
            (["--backend", "https://a.example"], "must be used together"),
            (["--user", "alice"], "must be used together"),
            (["--backend", "https://a.example", "--user", "alice"], "HUBSEND_DEVICE_PASSWORD"),
            (["--backend", "http://backend.example", "--user", "alice"], "https"),
            (["--backend", "https://a:b@backend.example", "--user", "alice"], "credential"),
            (["--backend", "nowhere", "--user", "alice"], "scheme"),
            (["--allow-host", "*"], "wildcard"), (["--allow-host", "a:80"], "\"a:80\""),
        ])
    func wrongFlagIsExplainedAndExitsWith2(arguments: [String], text: String) async throws {
        let workspace = try Workspace(["open.pem": "sesame"])
        let before = try workspace.text("devices.yaml")
        try workspace.setMode(0o644, of: "open.pem")
        let result = try await Binary.run(
            ["hub"] + arguments, in: workspace,
            environment: text == "HUBSEND_DEVICE_PASSWORD"
                ? [:] : ["HUBSEND_DEVICE_PASSWORD": "sesame"], status: 2)
        #expect(result.complaints.contains(text), "\(result.complaints)")
        #expect(!result.complaints.contains("sesame"))
        #expect(try workspace.text("devices.yaml") == before)
    }

    @Test("Private keys are used but never shown")
    func privateKeysAreUsedButNeverShown() async throws {
        let workspace = try Workspace()
        let key = "cHJpdmF0ZS1rZXk="
        let environment = ["HUBSEND_LOCAL_HUB_KEYS": "backend \(key) listen,send"]
        let hub = try await Binary.start(
            ["hub", "--json", "--listen", "0.0.0.0:0"], in: workspace, environment: environment)
        let line = try await hub.firstLine()
        #expect(line.contains("http://0.0.0.0:"))
        #expect(!line.contains(key))
        hub.signal(SIGTERM)
        #expect(try await hub.result().status == 0)
        let result = try await Binary.run(
            ["hub"], in: workspace, environment: ["HUBSEND_LOCAL_HUB_KEYS": "backend \(key)"],
            status: 2)
        #expect(!result.complaints.contains(key))
        #expect(
            result.complaints.contains("of the local hub's keys (HUBSEND_LOCAL_HUB_KEYS) must"))
    }

    @Test("A state file can be used by only one hub at a time")
    func stateFileCanBeUsedByOnlyOneHubAtATime() async throws {
        let workspace = try Workspace(["notes.txt": "not a state"])
        let other = try await Binary.run(["hub", "--state", "notes.txt"], in: workspace, status: 2)
        #expect(other.complaints.contains("notes.txt"), "\(other.complaints)")
        let arguments = ["hub", "--json", "--state", "hub.json"]
        let first = try await Binary.start(arguments, in: workspace)
        _ = try await first.firstLine()
        let second = try await Binary.run(arguments, in: workspace, status: 2)
        #expect(second.complaints.contains("hub.json"), "\(second.complaints)")
        first.signal(SIGTERM)
        #expect(try await first.result().status == 0)
        let again = try await Binary.start(arguments, in: workspace)
        _ = try await again.firstLine()
        // A terminal sends SIGHUP when it is closed.
        again.signal(SIGUSR1)
        again.signal(SIGHUP)
        #expect(try await again.result().status == 0)
    }

    @Test("An unknown host is reported in a sentence")
    func unknownHostIsReportedInASentence() async throws {
        let workspace = try Workspace()
        let result = try await Binary.run(
            ["hub", "--listen", "nohost.invalid:0"], in: workspace,
            environment: ["HUBSEND_LOCAL_HUB_KEYS": "backend k3y listen,send"], status: 2)
        #expect(result.complaints.contains("nohost.invalid"), "\(result.complaints)")
    }
}
