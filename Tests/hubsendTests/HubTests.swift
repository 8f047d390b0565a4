import Foundation
import FoundationNetworking
import Testing

/// `hubsend hub` stand-alone, and a run against it.
@Suite struct HubTests {
    @Test func aRunReachesTheHubThatItsReadyLineDescribes() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        let hub = try Binary.start(["hub", "--json", "--devices", "devices.yaml"], in: workspace)
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
}
