import Foundation
import FoundationNetworking
import TestSupport
import Testing

@Suite(.bounded) struct RunningHubFaultsTests {
    @Test("A running hub accepts faults from callers that have its token")
    func runningHubAcceptsFaultsFromCallersThatHaveItsToken() async throws {
        let hub = try await RunningHub.start(in: Workspace())
        let token = try await hub.ask("/token").text.filter { !$0.isNewline }
        func send(_ method: String, _ faults: String) async throws -> String {
            try await hub.ask("/faults") { request in
                request.httpMethod = method
                request.setValue(token, forHTTPHeaderField: "Hubsend-Token")
                request.httpBody = Data(faults.utf8)
            }.text
        }
        let put = try await send("PUT", "faults: [{ status: 500, share: 5% }, { slow: 10 }]")
        #expect(
            put.hasPrefix("{\"on\":true,\"faults\":[\"status: 500, share: 5%\",\"slow: 10\"]"))
        let wrong = try await send("POST", "status: 200")
        #expect(
            wrong.hasPrefix("{\"error\":\"body:1:9: error: \\\"status\\\" must be"), "\(wrong)")
        try await hub.stop()
    }
}
