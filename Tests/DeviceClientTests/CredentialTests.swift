import DeviceClient
import Foundation
import TestBackend
import TestSupport
import Testing

@Suite(.bounded) struct CredentialTests {
    @Test("A renewed token is used immediately") func renewedTokenIsUsedImmediately() async throws {
        try await ScriptedBackend.run(answering: .status(200)) { origin, backend in
            let tokens = Tokens()
            let client = try BackendClient.forTests(origin) { .token(await tokens.next()) }
            try await client.markRead(.sample)
            try await client.markRead(.sample)
            #expect(backend.requests.map(\.authorization) == ["Bearer token1", "Bearer token2"])
        }
    }

    @Test(
        "A credential that does not fit into a header is not sent",
        arguments: [
            DeviceCredential.token(""), .token("a\r\nX-Other: b"), .token("a b"), .token("é"),
            .password(user: "", password: "open"), .password(user: "a:b", password: "open"),
        ])
    func credentialThatDoesNotFitIntoAHeaderIsNotSent(credential: DeviceCredential) async throws {
        let client = try BackendClient.forTests("https://backend.invalid") { credential }
        await #expect(throws: BackendClientError.credentialUnusable) {
            try await client.markRead(.sample)
        }
    }

    @Test("Nothing is sent when nobody is signed in")
    func nothingIsSentWhenNobodyIsSignedIn() async throws {
        try await ScriptedBackend.run(answering: .status(200)) { origin, backend in
            let client = try BackendClient.forTests(origin) { nil }
            await #expect(throws: BackendClientError.noCredential) {
                try await client.register(platform: .apns, handle: "AA")
            }
            #expect(backend.requests.isEmpty)
        }
    }

    @Test(
        "A credential is never printed",
        arguments: [
            DeviceCredential.password(user: "alice", password: "sesame"), .token("sesame"),
        ])
    func credentialIsNeverPrinted(credential: DeviceCredential) {
        var dumped = ""
        dump(credential, to: &dumped)
        dump([credential], to: &dumped)
        let shown = [
            "\(credential)", String(describing: credential), String(reflecting: credential), dumped,
            "\([credential])",
        ]
        #expect(shown.allSatisfy { !$0.contains("sesame") && !$0.contains("alice") })
    }

    private actor Tokens {
        private var count = 0

        func next() -> String {
            count += 1
            return "token\(count)"
        }
    }
}
