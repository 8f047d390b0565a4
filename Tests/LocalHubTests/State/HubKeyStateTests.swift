import Foundation
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded)
struct HubKeyStateTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("hub.json") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func status(
        _ method: String, _ path: String, _ token: String, body: String = "",
        expecting text: String = ""
    ) async throws -> Int {
        var configuration = LocalHubConfiguration()
        configuration.now = { HubUnderTest.now }
        configuration.stateFile = self.path
        return try await withLocalHub(configuration) { address, _ in
            let answer = try await RawAnswer.to(
                "\(method) \(path)", port: address.port, ["Authorization: \(token)"],
                body: body)
            #expect(text.isEmpty || answer.body.contains(text), "\(answer.body)")
            return answer.status
        }
    }

    private var full: String {
        TestToken.make(.developmentFull, audience: "http://127.0.0.1/")
    }

    private var own: String {
        TestToken.make(
            LocalHubRule(name: "backend", key: "one", claims: []),
            audience: "http://127.0.0.1/shop")
    }

    @Test("Keys and credentials survive a restart")
    func keysAndCredentialsSurviveARestart() async throws {
        let credential =
            "<GcmCredential><Properties><Property><Name>GoogleApiKey</Name><Value>g</Value>"
            + "</Property></Properties></GcmCredential>"
        let body = HubRequestBody.entry(
            credential, rules: [HubRequestBody.rule("backend", ["Listen"], primary: "one")])
        #expect(try await status("PUT", "/shop", full, body: body) == 201)
        #expect(try await status("POST", "/shop/registrationids", own) == 201)
        #expect(try await status("GET", "/shop", full, expecting: credential) == 200)
        #expect(try await status("DELETE", "/shop", full) == 200)
        #expect(try await status("PUT", "/shop", full) == 201)
        #expect(try await status("POST", "/shop/registrationids", own) == 401)
    }

    @Test("A state file without keys can be read") func stateFileWithoutKeysCanBeRead() async throws
    {
        try folder.write(
            """
            {"head":{"format":"hubsend local hub state","version":1},"hubs":[{"name":"shop",
            "description":{"properties":[{"name":"RegistrationTtl","value":"P1D"},
            {"name":"UserMetadata","value":"a & b"}],"created":788914800,"updated":788914800},
            "registrations":[],"installations":{},"scheduled":[]}]}
            """, to: "hub.json")
        let text = "<RegistrationTtl>P1D</RegistrationTtl><DailyOperations>0</DailyOperations>"
        #expect(try await status("GET", "/shop", full, expecting: text) == 200)
        // The namespace's keys are still valid for the hub.
        #expect(try await status("POST", "/shop/registrationids", full) == 201)
        #expect(try await status("POST", "/shop/registrationids", own) == 401)
    }
}
