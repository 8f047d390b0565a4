import Foundation
import FoundationNetworking
import TestBackend
import TestSupport
import Testing

@Suite(.bounded) struct HubPayloadTests {
    private struct Messages: Decodable {
        struct Message: Decodable {
            struct Appearance: Decodable {
                struct ID: Decodable {
                    let value: String
                }

                let ids: [ID]
            }

            let appearance: Appearance
        }

        let messages: [Message]
    }

    @Test("The inbox fetches a payload only on request, as the payload's user")
    func inboxFetchesAPayloadOnlyOnRequestAsThePayloadsUser() async throws {
        try await ScriptedBackend.run { request, number in
            number == 0
                ? .text("{\"Payload\":\"Your code is 7\"}") : .status(number == 1 ? 404 : 401)
        } _: { address, backend in
            let workspace = try Workspace(["notice.yaml": Campaigns.secure(to: ["alice"])])
            let hub = try await RunningHub.start(
                ["--devices", "devices.yaml", "--backend", address, "--user", "alice"],
                in: workspace, environment: ["HUBSEND_DEVICE_PASSWORD": "sesame"])
            try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: hub.environment, status: 0)
            let messages = try JSONDecoder().decode(
                Messages.self, from: Data(try await hub.ask("/messages").text.utf8))
            let id = try #require(messages.messages.first?.appearance.ids.first?.value)
            #expect(backend.requests.isEmpty)
            let token = try await hub.ask("/token").text.trimmingCharacters(in: .newlines)
            func fetch() async throws -> String {
                try await hub.ask("/messages/1/payloads/" + id) { request in
                    request.httpMethod = "POST"
                    request.setValue(token, forHTTPHeaderField: "Hubsend-Token")
                }.text
            }
            let payload = try await fetch()
            #expect(payload.contains("Your code is 7"), "\(payload)")
            let credential = Data("alice:sesame".utf8).base64EncodedString()
            #expect(backend.requests.map(\.target) == ["/api/notifications/" + id])
            #expect(backend.requests.map(\.authorization) == ["Basic " + credential])
            #expect(try await fetch().contains("has no such payload for alice"))
            let refused = try await fetch()
            #expect(refused.contains("refuses the credential in HUBSEND_DEVICE_PASSWORD for alice"))
            #expect(!refused.contains("sesame"))
            try await hub.stop()
        }
    }
}
