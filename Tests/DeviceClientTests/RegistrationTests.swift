import DeviceClient
import Foundation
import TestBackend
import TestSupport
import Testing

@Suite(.bounded) struct RegistrationTests {
    @Test("The first registration requests an ID and keeps it")
    func firstRegistrationRequestsAnIDAndKeepsIt() async throws {
        try await ScriptedBackend.run { _, number in
            number == 0 ? .text("\"123-456-1\"") : .status(200)
        } _: { origin, backend in
            let store = InMemoryRegistrationIDStore()
            let client = try BackendClient.forTests(origin, registration: store)
            try await client.register(
                deviceToken: Data([0x00, 0xAB, 0xFF]), tags: ["news", "sport"])
            #expect(
                backend.requests.map(\.line) == [
                    "POST /api/register?handle=00ABFF", "PUT /api/register/123-456-1",
                ])
            #expect(
                backend.requests.last?.body
                    == #"{"Handle":"00ABFF","Platform":"apns","Tags":["news","sport"]}"#)
            #expect(backend.requests.allSatisfy { $0.authorization == "Basic YWxpY2U6b3Blbg==" })
            #expect(await store.registrationID() == "123-456-1")
        }
    }

    @Test("A saved ID is used again") func savedIDIsUsedAgain() async throws {
        try await ScriptedBackend.run(answering: .status(200)) { origin, backend in
            let client = try BackendClient.forTests(
                origin, registration: InMemoryRegistrationIDStore("7-8-9"))
            try await client.register(platform: .fcm, handle: "a/b+c d&e")
            #expect(backend.requests.map(\.line) == ["PUT /api/register/7-8-9"])
        }
    }

    @Test("A handle is percent-encoded in the URL")
    func handleIsPercentEncodedInTheURL() async throws {
        try await ScriptedBackend.run { _, number in
            number == 0 ? .text("\"1\"") : .status(200)
        } _: { origin, backend in
            let client = try BackendClient.forTests(origin)
            try await client.register(
                platform: .wns, handle: "https://a.notify.windows.com/?token=x%2by&z=ü")
            #expect(
                backend.requests.first?.target
                    == "/api/register?handle=https%3A%2F%2Fa.notify.windows.com%2F%3Ftoken%3Dx%252by%26z%3D%C3%BC"
            )
        }
    }

    @Test("An ID that is no longer valid is replaced")
    func idThatIsNoLongerValidIsReplaced() async throws {
        try await ScriptedBackend.run { request, _ in
            switch request.line {
            case "PUT /api/register/old": .status(410)
            case "POST /api/register?handle=AA": .text("\"new\"")
            default: .status(200)
            }
        } _: { origin, backend in
            let store = InMemoryRegistrationIDStore("old")
            let client = try BackendClient.forTests(origin, registration: store)
            try await client.register(platform: .apns, handle: "AA")
            #expect(
                backend.requests.map(\.line) == [
                    "PUT /api/register/old", "POST /api/register?handle=AA",
                    "PUT /api/register/new",
                ])
            #expect(await store.registrationID() == "new")
        }
    }

    @Test("A new ID is requested only once") func newIDIsRequestedOnlyOnce() async throws {
        try await ScriptedBackend.run { request, _ in
            request.method == "POST" ? .text("\"new\"") : .status(410)
        } _: { origin, backend in
            let client = try BackendClient.forTests(
                origin, registration: InMemoryRegistrationIDStore("old"))
            await #expect(throws: BackendClientError.status(410, retryAfter: nil)) {
                try await client.register(platform: .apns, handle: "AA")
            }
            #expect(backend.requests.map(\.method) == ["PUT", "POST", "PUT"])
        }
    }

    @Test(
        "Any other status causes an error, but the ID is kept",
        arguments: [
            (400, BackendClientError.status(400, retryAfter: nil)),
            (401, .credentialRefused), (403, .forbidden),
            (404, .status(404, retryAfter: nil)), (500, .status(500, retryAfter: nil)),
        ])
    func anyOtherStatusCausesAnErrorButTheIDIsKept(
        status: Int, error: BackendClientError
    ) async throws {
        try await ScriptedBackend.run(answering: .status(status)) { origin, backend in
            let store = InMemoryRegistrationIDStore("kept")
            let client = try BackendClient.forTests(origin, registration: store)
            await #expect(throws: error) {
                try await client.register(platform: .apns, handle: "AA")
            }
            #expect(backend.requests.count == 1)
            #expect(await store.registrationID() == "kept")
        }
    }

    @Test(
        "An invalid ID from the backend is not kept",
        arguments: ["\"\"", "", "\"../notifications\"", "\"a b\"", "\"é\""])
    func invalidIDFromTheBackendIsNotKept(answer: String) async throws {
        try await ScriptedBackend.run(answering: .text(answer)) { origin, _ in
            let store = InMemoryRegistrationIDStore()
            let client = try BackendClient.forTests(origin, registration: store)
            await #expect(throws: BackendClientError.answerUnreadable) {
                try await client.register(platform: .apns, handle: "AA")
            }
            #expect(await store.registrationID() == nil)
        }
    }

    @Test("A saved ID that would change the path is replaced")
    func savedIDThatWouldChangeThePathIsReplaced() async throws {
        try await ScriptedBackend.run { request, _ in
            request.method == "POST" ? .text("\"new\"") : .status(200)
        } _: { origin, backend in
            let client = try BackendClient.forTests(
                origin, registration: InMemoryRegistrationIDStore(".."))
            try await client.register(platform: .apns, handle: "AA")
            #expect(backend.requests.map(\.method) == ["POST", "PUT"])
        }
    }

    @Test("Unregistering forgets the ID", arguments: [200, 404, 410])
    func unregisteringForgetsTheID(status: Int) async throws {
        try await ScriptedBackend.run(answering: .status(status)) { origin, backend in
            let store = InMemoryRegistrationIDStore("kept")
            let client = try BackendClient.forTests(origin, registration: store)
            try await client.unregister()
            try await client.unregister()
            #expect(backend.requests.map(\.line) == ["DELETE /api/register/kept"])
            #expect(await store.registrationID() == nil)
        }
    }

    @Test("An ID that could not be deleted is kept for a retry")
    func idThatCouldNotBeDeletedIsKeptForARetry() async throws {
        try await ScriptedBackend.run(answering: .status(503, ["Retry-After": "7"])) { origin, _ in
            let store = InMemoryRegistrationIDStore("kept")
            let client = try BackendClient.forTests(origin, registration: store)
            let error = await #expect(throws: BackendClientError.self) {
                try await client.unregister()
            }
            #expect(error?.isPassing == true)
            #expect(error?.retryAfter == .seconds(7))
            #expect(await store.registrationID() == "kept")
        }
    }

    @Test("An invalid handle is not sent", arguments: ["", String(repeating: "A", count: 4_097)])
    func invalidHandleIsNotSent(handle: String) async throws {
        let client = try BackendClient.forTests("https://backend.invalid")
        await #expect(throws: BackendClientError.unusableHandle) {
            try await client.register(platform: .apns, handle: handle)
        }
    }
}
