import DeviceClient
import Foundation
import TestBackend
import TestSupport
import Testing

@Suite(.bounded) struct AnswerTests {
    @Test(
        "A redirect causes an error, and nothing is sent to its target",
        arguments: [301, 302, 303, 307, 308, 300, 304])
    func redirectCausesAnErrorAndNothingIsSentToItsTarget(status: Int) async throws {
        try await ScriptedBackend.run(answering: .status(200)) { other, stranger in
            try await ScriptedBackend.run(
                answering: .status(status, ["Location": other + "/stolen"])
            ) { origin, backend in
                let client = try BackendClient.forTests(origin)
                await #expect(throws: BackendClientError.redirected(status: status)) {
                    try await client.fetch(.sample)
                }
                await #expect(throws: BackendClientError.redirected(status: status)) {
                    try await client.register(platform: .apns, handle: "AA")
                }
                #expect(backend.requests.count == 2)
                #expect(stranger.requests.isEmpty)
            }
        }
    }

    @Test("A redirect within the same origin is not followed either")
    func redirectWithinTheSameOriginIsNotFollowedEither() async throws {
        try await ScriptedBackend.run { request, _ in
            request.target.hasSuffix("/read")
                ? .status(302, ["Location": "/api/other"]) : .status(200)
        } _: { origin, backend in
            let client = try BackendClient.forTests(origin)
            await #expect(throws: BackendClientError.redirected(status: 302)) {
                try await client.markRead(.sample)
            }
            #expect(backend.requests.count == 1)
        }
    }

    @Test(
        "A refused sign-in is reported and not retried",
        arguments: [
            nil, "Basic realm=\"hubsend\"", "Bearer", "Basic realm=\"a\", Bearer realm=\"a\"",
            "Negotiate",
        ])
    func refusedSignInIsReportedAndNotRetried(challenge: String?) async throws {
        try await ScriptedBackend.run(
            answering: .status(401, challenge.map { ["WWW-Authenticate": $0] } ?? [:])
        ) { origin, backend in
            let client = try BackendClient.forTests(origin)
            await #expect(throws: BackendClientError.credentialRefused) {
                try await client.fetch(.sample)
            }
            #expect(backend.requests.count == 1)
        }
    }

    @Test("Reading a response stops at the limit", arguments: [true, false])
    func readingAResponseStopsAtTheLimit(hasLength: Bool) async throws {
        try await ScriptedBackend.run { _, _ in
            hasLength
                ? ScriptedAnswer(body: [UInt8](repeating: 120, count: 100_000))
                : ScriptedAnswer(
                    pieceSize: 1_000, repeats: 100, body: [UInt8](repeating: 120, count: 1_000),
                    hangs: true)
        } _: { origin, _ in
            var settings = BackendClientSettings()
            settings.longestAnswer = 10_000
            let client = try BackendClient.forTests(origin, settings: settings)
            await #expect(throws: BackendClientError.answerTooLong(limit: 10_000)) {
                try await client.fetch(.sample)
            }
        }
    }

    @Test("A response of exactly the maximum size is accepted")
    func responseOfExactlyTheMaximumSizeIsAccepted() async throws {
        try await ScriptedBackend.run(
            answering: ScriptedAnswer(pieceSize: 999, body: [UInt8](repeating: 120, count: 10_000))
        ) { origin, _ in
            var settings = BackendClientSettings()
            settings.longestAnswer = 10_000
            let client = try BackendClient.forTests(origin, settings: settings)
            #expect(try await client.fetch(.sample).data.count == 10_000)
        }
    }

    @Test("A response that does not end causes a timeout")
    func responseThatDoesNotEndCausesATimeout() async throws {
        try await ScriptedBackend.run(
            answering: ScriptedAnswer(pieceSize: 1, body: [1, 2, 3], hangs: true)
        ) { origin, _ in
            var settings = BackendClientSettings()
            settings.timeout = .milliseconds(200)
            let client = try BackendClient.forTests(origin, settings: settings)
            let error = await #expect(throws: BackendClientError.self) {
                try await client.fetch(.sample)
            }
            #expect(error == .timedOut)
            #expect(error?.isPassing == true)
        }
    }

    @Test("No cookie is stored and no response is cached")
    func noCookieIsStoredAndNoResponseIsCached() async throws {
        try await ScriptedBackend.run { request, _ in
            .status(200, ["Set-Cookie": "track=1; Path=/", "Cache-Control": "max-age=1000"])
        } _: { origin, backend in
            let client = try BackendClient.forTests(origin)
            _ = try await client.fetch(.sample)
            _ = try await client.fetch(.sample)
            // Both requests arrived, so no response came from a cache.
            #expect(backend.requests.map(\.cookie) == [nil, nil])
        }
    }

    @Test("A cancelled fetch throws a cancellation error")
    func cancelledFetchThrowsACancellationError() async throws {
        try await ScriptedBackend.run(
            answering: ScriptedAnswer(pieceSize: 1, body: [1], hangs: true)
        ) { origin, _ in
            let client = try BackendClient.forTests(origin)
            let fetch = Task { try await client.fetch(.sample) }
            fetch.cancel()
            await #expect(throws: BackendClientError.cancelled) { try await fetch.value }
        }
    }

    @Test("An unreachable backend causes a temporary error")
    func unreachableBackendCausesATemporaryError() async throws {
        let client = try BackendClient.forTests("http://127.0.0.1:1")
        let error = await #expect(throws: BackendClientError.self) {
            try await client.fetch(.sample)
        }
        #expect(error == .unreachable)
        #expect(error?.isPassing == true)
    }
}
