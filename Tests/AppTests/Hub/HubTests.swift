import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// `hubsend hub` stand-alone, and a run against it.
@Suite(.bounded) struct HubTests {
    @Test func aRunReachesTheHubThatItsReadyLineDescribes() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let hub = try await Binary.start(
            ["hub", "--json", "--devices", "devices.yaml"], in: workspace)
        let line = try await hub.firstLine()
        let ready = try #require(
            JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(ready.keys.sorted() == ["http", "https", "hub", "inbox"])
        let http = try #require(ready["http"] as? [String: String])
        let environment = [
            "HUBSEND_HUB_CONNECTION_STRING": try #require(http["connection_string"]),
            "HUBSEND_HUB_NAME": try #require(ready["hub"] as? String),
        ]
        let run = try await Binary.run(
            ["run", "notice.yaml"], in: workspace, environment: environment)
        #expect(run.status == 0, "\(run.complaints)")
        let address = try #require(http["url"])
        let url = try #require(URL(string: address + "/.hubsend/devices/alice"))
        let seen = String(decoding: try await URLSession.shared.data(from: url).0, as: UTF8.self)
        #expect(seen.contains("secureId"))
        hub.signal(SIGTERM)
        #expect(try await hub.result().status == 0)
    }

    @Test func aPortInUseIsASentence() async throws {
        let workspace = try Workspace()
        try await HubFixture.run { environment, _ in
            let string = try #require(environment["HUBSEND_HUB_CONNECTION_STRING"])
            let port = try #require(
                string.split(separator: "/").first { $0.contains(":") && $0.contains("127") }?
                    .split(separator: ":").last)
            let result = try await Binary.run(["hub", "--port", String(port)], in: workspace)
            #expect(result.status == 2)
            #expect(result.complaints.contains("something else"))
        }
    }

    @Test func whatShallGoWrongDoes() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(),
            "faults.yaml": "faults: [{ wrong_tokens: 100% }]\n",
        ])
        let hub = try await Binary.start(
            [
                "hub", "--json", "--devices", "devices.yaml", "--faults", "faults.yaml",
                "--fault", "status: 400, first: 1, last: 1", "--seed", "7",
                "--telemetry-delay", "1h",
            ], in: workspace)
        let line = try await hub.firstLine()
        let ready = try #require(
            JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let http = try #require(ready["http"] as? [String: String])
        let run = try await Binary.run(
            ["run", "notice.yaml", "--json"], in: workspace,
            environment: [
                "HUBSEND_HUB_CONNECTION_STRING": try #require(http["connection_string"]),
                "HUBSEND_HUB_NAME": "hubsend",
            ])
        #expect(run.status == 3)
        #expect(run.output.contains("\"rejected\":1"), "\(run.output)")
        let address = try #require(http["url"])
        let url = try #require(URL(string: address + "/.hubsend/devices/alice"))
        let seen = String(decoding: try await URLSession.shared.data(from: url).0, as: UTF8.self)
        #expect(!seen.contains("Success"))
        hub.signal(SIGINT)
        #expect(try await hub.result().status == 0)
    }

    @Test(arguments: [
        (
            ["--fault", "status: 200"],
            "error: \"status\" must be from 400 to 599."
        ),
        (["--faults", "none.yaml"], "none.yaml"),
        (["--telemetry-delay", "soon"], "--telemetry-delay"),
        (["--seed", "-1"], "--seed"), (["--port", "1", "--listen", "127.0.0.1:0"], "give one"),
        (["--listen", "127.0.0.1"], "write a host and a port"),
        (["--listen", "nohost.invalid:0"], "HUBSEND_LOCAL_HUB_KEYS"),
        (["--listen", "127.99.99.99:99999"], "write a host and a port"),
        (["--telemetry-delay", "10"], "such as 10s"), (["--state", ""], "--state names no file"),
        (["--state", "none/state"], "check its folder"),
        (["--fault", "status: 500", "--fault", "latency: 50"], "--fault (number 2):1:"),
        (["--listen", "0.0.0.0:0"], "HUBSEND_LOCAL_HUB_KEYS"),
    ])
    func aFlagThatMakesNoSenseIsASentenceAndCode2(arguments: [String], text: String) async throws {
        let workspace = try Workspace()
        let result = try await Binary.run(["hub"] + arguments, in: workspace)
        #expect(result.status == 2)
        #expect(result.complaints.contains(text), "\(result.complaints)")
    }

    @Test func keysOfOnesOwnAreUsedAndNeverShown() async throws {
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
            ["hub"], in: workspace, environment: ["HUBSEND_LOCAL_HUB_KEYS": "backend \(key)"])
        #expect(result.status == 2)
        #expect(!result.complaints.contains(key))
        #expect(
            result.complaints.contains("of the local hub's keys (HUBSEND_LOCAL_HUB_KEYS) is not"))
    }

    @Test func aStateFileIsTheHubsOwn() async throws {
        let workspace = try Workspace(["notes.txt": "not a state"])
        let other = try await Binary.run(["hub", "--state", "notes.txt"], in: workspace)
        #expect(other.status == 2)
        #expect(other.complaints.contains("notes.txt"), "\(other.complaints)")
        let arguments = ["hub", "--json", "--state", "hub.json"]
        let first = try await Binary.start(arguments, in: workspace)
        _ = try await first.firstLine()
        let second = try await Binary.run(arguments, in: workspace)
        #expect(second.status == 2)
        #expect(second.complaints.contains("hub.json"), "\(second.complaints)")
        first.signal(SIGTERM)
        #expect(try await first.result().status == 0)
        let again = try await Binary.start(arguments, in: workspace)
        _ = try await again.firstLine()
        // A closing terminal sends SIGHUP.
        again.signal(SIGUSR1)
        again.signal(SIGHUP)
        #expect(try await again.result().status == 0)
    }

    @Test func aHostThatNobodyKnowsIsASentence() async throws {
        let workspace = try Workspace()
        let result = try await Binary.run(
            ["hub", "--listen", "nohost.invalid:0"], in: workspace,
            environment: ["HUBSEND_LOCAL_HUB_KEYS": "backend k3y listen,send"])
        #expect(result.status == 2)
        #expect(result.complaints.contains("nohost.invalid"), "\(result.complaints)")
    }
}
