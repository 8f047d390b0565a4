import DeviceClient
import TestBackend
import TestSupport
import Testing

/// A refused credential leads to the generic text, with as few failed sign-ins as possible.
@Suite(.bounded) struct RefusedSignInTests {
    private static let ids = Array("abcdefghijklmnopqrst").compactMap {
        NotificationID(String(repeating: $0, count: 26))
    }

    private static func generic(_ id: NotificationID) -> DeviceNotification {
        .generic(id: id, text: BackendClientSettings().genericText)
    }

    /// A backend that limits failures like the real one: the eleventh gets a 429.
    private static func limiting(_ request: ScriptedRequest, _ number: Int) -> ScriptedAnswer {
        if request.authorization == "Bearer new" { return .text(#"{"Payload":"Hi"}"#) }
        return number < 10 ? .status(401) : .status(429, ["Retry-After": "60"])
    }

    @Test("A refused credential is sent to the backend only once")
    func refusedCredentialIsSentToTheBackendOnlyOnce() async throws {
        try await ScriptedBackend.run {
            Self.limiting($0, $1)
        } _: { origin, backend in
            let client = try BackendClient.forTests(origin)
            for id in Self.ids {
                #expect(try await client.handle(.secure(id)) == Self.generic(id))
            }
            #expect(backend.requests.count == 1)
        }
    }

    @Test("Concurrent pushes all show the generic text")
    func concurrentPushesAllShowTheGenericText() async throws {
        try await ScriptedBackend.run {
            Self.limiting($0, $1)
        } _: { origin, _ in
            let client = try BackendClient.forTests(origin)
            let shown = try await withThrowingTaskGroup(of: DeviceNotification.self) { group in
                for id in Self.ids { group.addTask { try await client.handle(.secure(id)) } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(shown == Set(Self.ids.map(Self.generic)))
        }
    }

    @Test("A different credential is tried immediately")
    func differentCredentialIsTriedImmediately() async throws {
        try await ScriptedBackend.run {
            Self.limiting($0, $1)
        } _: { origin, backend in
            let account = Account(token: "old")
            let client = try BackendClient.forTests(origin) { .token(await account.token) }
            for id in [NotificationID.sample, .other] {
                #expect(try await client.handle(.secure(id)) == Self.generic(id))
            }
            await account.renew("new")
            #expect(try await client.handle(.secure(.third)) == .secure(id: .third, text: "Hi"))
            #expect(backend.requests.map(\.authorization) == ["Bearer old", "Bearer new"])
        }
    }

    @Test("A success with a refused credential makes it valid again")
    func successWithARefusedCredentialMakesItValidAgain() async throws {
        try await ScriptedBackend.run { request, number in
            if number == 0 { return .status(401) }
            return request.method == "PUT" ? .status(204) : .text(#"{"Payload":"Hi"}"#)
        } _: { origin, _ in
            let client = try BackendClient.forTests(origin)
            #expect(try await client.handle(.secure(.sample)) == Self.generic(.sample))
            #expect(try await client.handle(.secure(.other)) == Self.generic(.other))
            try await client.markRead(.sample)
            #expect(try await client.handle(.secure(.third)) == .secure(id: .third, text: "Hi"))
        }
    }

    @Test(
        "A credential that cannot be sent shows the generic text",
        arguments: [
            DeviceCredential.token(""), .token("a b"), .password(user: "a:b", password: "open"),
        ])
    func credentialThatCannotBeSentShowsTheGenericText(credential: DeviceCredential) async throws {
        try await ScriptedBackend.run(answering: .status(200)) { origin, backend in
            let client = try BackendClient.forTests(origin) { credential }
            #expect(try await client.handle(.secure(.sample)) == Self.generic(.sample))
            #expect(backend.requests.isEmpty)
        }
    }

    @Test("Throttling without a refusal causes a temporary error")
    func throttlingWithoutARefusalCausesATemporaryError() async throws {
        try await ScriptedBackend.run(answering: .status(429, ["Retry-After": "7"])) { origin, _ in
            let client = try BackendClient.forTests(origin)
            await #expect(throws: BackendClientError.status(429, retryAfter: .seconds(7))) {
                try await client.handle(.secure(.sample))
            }
        }
    }

    @Test("A dump of the client shows no secrets") func dumpOfTheClientShowsNoSecrets() async throws
    {
        try await ScriptedBackend.run(answering: .status(401)) { origin, _ in
            let client = try BackendClient.forTests(origin) { .token("sesame") }
            #expect(try await client.handle(.secure(.sample)) == Self.generic(.sample))
            var dumped = ""
            dump(client, to: &dumped)
            #expect(dumped.hasPrefix("- BackendClient"))
            #expect(!dumped.contains("sesame") && !dumped.contains("lastRefused"))
        }
    }

    private actor Account {
        private(set) var token: String

        init(token: String) {
            self.token = token
        }

        func renew(_ token: String) {
            self.token = token
        }
    }
}
