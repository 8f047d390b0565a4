import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// Faults given to a running hub.
@Suite(.bounded) struct RunningHubFaultsTests {
    @Test func aRunningHubTakesFaultsFromItsToken() async throws {
        let hub = try await Binary.start(["hub", "--json"], in: try Workspace())
        let ready = try #require(
            JSONSerialization.jsonObject(with: Data(try await hub.firstLine().utf8))
                as? [String: Any])
        let http = try #require(ready["http"] as? [String: String])
        let address = try #require(http["url"]) + "/.hubsend/"
        func ask(_ path: String, _ change: (inout URLRequest) -> Void = { _ in }) async throws
            -> String
        {
            var request = URLRequest(url: try #require(URL(string: address + path)))
            change(&request)
            return String(
                decoding: try await URLSession.shared.data(for: request).0, as: UTF8.self)
        }
        let token = try await ask("token").filter { !$0.isNewline }
        let put = try await ask("faults") { request in
            request.httpMethod = "PUT"
            request.setValue(token, forHTTPHeaderField: "Hubsend-Token")
            request.httpBody = Data("faults: [{ status: 500, share: 5% }, { slow: 10 }]".utf8)
        }
        #expect(
            put.hasPrefix("{\"on\":true,\"faults\":[\"status: 500, share: 5%\",\"slow: 10\"]"))
        let wrong = try await ask("faults") { request in
            request.httpMethod = "POST"
            request.setValue(token, forHTTPHeaderField: "Hubsend-Token")
            request.httpBody = Data("status: 200".utf8)
        }
        #expect(
            wrong.hasPrefix("{\"error\":\"body:1:9: error: \\\"status\\\" must be"), "\(wrong)")
        hub.signal(SIGTERM)
        #expect(try await hub.result().status == 0)
    }
}
