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

    @Test func itAsksAsItsUserAndOnlyByHand() async throws {
        try await ScriptedBackend.run { request, number in
            number == 0
                ? .text("{\"Payload\":\"Your code is 7\"}") : .status(number == 1 ? 404 : 401)
        } _: { address, backend in
            let workspace = try Workspace(["notice.yaml": Campaigns.secure(to: ["alice"])])
            let hub = try await Binary.start(
                [
                    "hub", "--json", "--devices", "devices.yaml", "--backend", address, "--user",
                    "alice",
                ], in: workspace, environment: ["HUBSEND_DEVICE_PASSWORD": "sesame"])
            let ready = try #require(
                JSONSerialization.jsonObject(with: Data(try await hub.firstLine().utf8))
                    as? [String: Any])
            let http = try #require(ready["http"] as? [String: String])
            let base = try #require(http["url"]) + "/.hubsend/"
            let sent = try await Binary.run(
                ["run", "notice.yaml"], in: workspace,
                environment: [
                    "HUBSEND_HUB_CONNECTION_STRING": try #require(http["connection_string"]),
                    "HUBSEND_HUB_NAME": "hubsend",
                ])
            #expect(sent.status == 0, "\(sent.complaints)")
            let messages = try JSONDecoder().decode(
                Messages.self, from: Data(try await ask(base + "messages").utf8))
            let id = try #require(messages.messages.first?.appearance.ids.first?.value)
            #expect(backend.requests.isEmpty)
            let token = try await ask(base + "token").trimmingCharacters(in: .newlines)
            let path = base + "messages/1/payloads/" + id
            let payload = try await ask(path, "POST", token: token)
            #expect(payload.contains("Your code is 7"), "\(payload)")
            let credential = Data("alice:sesame".utf8).base64EncodedString()
            #expect(backend.requests.map(\.target) == ["/api/notifications/" + id])
            #expect(backend.requests.map(\.authorization) == ["Basic " + credential])
            #expect(
                try await ask(path, "POST", token: token).contains("has no such payload for alice"))
            let refused = try await ask(path, "POST", token: token)
            #expect(refused.contains("refuses what HUBSEND_DEVICE_PASSWORD holds for alice"))
            #expect(!refused.contains("sesame"))
            hub.signal(SIGTERM)
            #expect(try await hub.result().status == 0)
        }
    }

    @Test(arguments: [
        ("http://backend.example", "https"), ("https://a:b@backend.example", "credential"),
        ("nowhere", "scheme"),
    ])
    func anAddressThatCannotBeABackendsIsRefusedAtTheStart(
        address: String, word: String
    ) async throws {
        let result = try await Binary.run(
            ["hub", "--backend", address, "--user", "alice"], in: try Workspace(),
            environment: ["HUBSEND_DEVICE_PASSWORD": "sesame"])
        #expect(result.status == 2)
        #expect(result.complaints.contains(word), "\(result.complaints)")
        #expect(!result.complaints.contains("sesame"))
    }

    private func ask(
        _ address: String, _ method: String = "GET", token: String? = nil
    ) async throws -> String {
        var request = URLRequest(url: try #require(URL(string: address)))
        request.httpMethod = method
        if let token { request.setValue(token, forHTTPHeaderField: "Hubsend-Token") }
        return String(decoding: try await URLSession.shared.data(for: request).0, as: UTF8.self)
    }
}
