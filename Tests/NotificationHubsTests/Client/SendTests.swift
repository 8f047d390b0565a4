import CampaignCore
import NIOCore
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct SendTests {
    private func failure(of answer: ScriptedAnswer) async throws -> HubError {
        try await ScriptedHub.with(script: { _, _ in answer }) { try await failure(at: $0) }
    }

    private func failure(
        at hub: ScriptedHub, requestTimeout: Duration = .seconds(120)
    ) async throws -> HubError {
        try await NotificationHubClient.with(
            hub.connectionString(), requestTimeout: requestTimeout
        ) { client in
            let error = await #expect(throws: HubError.self) { try await client.sendExample() }
            return try #require(error)
        }
    }

    @Test("A silent push is one request in the documented form")
    func silentPushIsOneRequestInTheDocumentedForm() async throws {
        try await ScriptedHub.with(script: { _, _ in .accepted }) { hub in
            let receipt = try await NotificationHubClient.with(
                hub.connectionString(), now: { ManualClock(1_767_222_000).now }
            ) { try await $0.sendExample() }

            let request = try #require(hub.record.requests.first)
            #expect(hub.record.requests.count == 1)
            #expect(request.method == "POST")
            #expect(request.uri == "/news/messages/?api-version=2020-06")
            #expect(request["Host"] == "127.0.0.1:\(hub.port)")
            #expect(request["Content-Type"] == "application/json")
            #expect(request["ServiceBusNotification-Format"] == "apple")
            #expect(request["ServiceBusNotification-Tags"] == "username:alice")
            #expect(request["apns-push-type"] == "background")
            #expect(request["apns-priority"] == "5")
            #expect(request["User-Agent"] == HubClientSettings.defaultUserAgent)
            #expect(request["Content-Length"] == String(request.body.count))
            #expect(request["Transfer-Encoding"] == nil)
            #expect(request["Accept-Encoding"] == nil)
            #expect(request.body == (try NativeNotification.silent().body))
            let token = try #require(request["Authorization"])
            #expect(
                token.hasPrefix(
                    "SharedAccessSignature sr=http%3a%2f%2f127.0.0.1%3a\(hub.port)%2fnews&sig="))
            #expect(token.hasSuffix("&se=1767225600&skn=Send"))
            let guid = try #require(request["TrackingId"])
            #expect(guid.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil)

            #expect(receipt.messageID == "id-1")
            #expect(receipt.trackingID == "hub-tracking")
            #expect(receipt.correlationID == "hub-correlation")
            #expect(receipt.status == 201)
        }
    }

    @Test("An accepted push does not need a Location header")
    func acceptedPushDoesNotNeedALocationHeader() async throws {
        try await NotificationHubClient.with(answering: .status(200)) { client, hub in
            let receipt = try await client.sendExample()
            #expect(receipt.messageID == nil)
            #expect(receipt.trackingID == hub.record.requests.first?["TrackingId"])
        }
    }

    @Test("Connections are reused") func connectionsAreReused() async throws {
        try await NotificationHubClient.with { client, hub in
            for _ in 0..<20 { _ = try await client.sendExample() }

            #expect(hub.record.requests.count == 20)
            #expect(hub.record.connections == 1)
        }
    }

    @Test("A request with a refused token is sent once more")
    func requestWithARefusedTokenIsSentOnceMore() async throws {
        let clock = ManualClock(1_767_222_000)
        try await NotificationHubClient.with(
            script: { number, _ in
                clock.advance(by: 1)
                return number == 0 ? .status(401) : .accepted
            }, now: { clock.now }
        ) { client, hub in
            _ = try await client.sendExample()
            let requests = hub.record.requests
            try #require(requests.count == 2)
            #expect(requests[0]["Authorization"] != requests[1]["Authorization"])
            for name in ["TrackingId", "ServiceBusNotification-Tags", "Content-Length"] {
                #expect(requests[0][name] != nil)
                #expect(requests[0][name] == requests[1][name])
            }
            #expect(requests[0].body == requests[1].body)
        }
    }

    /// Runs a client with two keys; the hub accepts the second key or neither.
    private func withSecondKey(
        isTaken: Bool = true, _ use: (NotificationHubClient, ScriptedHub) async throws -> Void
    ) async throws {
        try await ScriptedHub.with(script: { _, request in
            isTaken && request["Authorization"]?.hasSuffix("&skn=Other") == true
                ? .accepted : .status(401)
        }) { hub in
            let told = Watched(0)
            try await NotificationHubClient.with(
                hub.connectionString(),
                secondary:
                    "Endpoint=http://127.0.0.1:\(hub.port)/;SharedAccessKeyName=Other;SharedAccessKey=k",
                onSecondary: { told.update { $0 += 1 } }
            ) { try await use($0, hub) }
            #expect(told.value == 1)
        }
    }

    @Test("The second key stays in use after the first is refused")
    func secondKeyStaysInUseAfterTheFirstIsRefused() async throws {
        try await withSecondKey { client, hub in
            _ = try await client.sendExample()
            #expect(hub.record.requests.count == 3)
            _ = try await client.sendExample()
            #expect(hub.record.requests.count == 4)
            let batches = Batches()
            await HubPushSender(client: client).send(try .example(20)) { batches.take($0) }
            #expect(batches.results.allSatisfy { $0.disposition == .accepted })
            #expect(hub.record.requests.count == 24)
        }
    }

    @Test("Bulk pushes also use the second key") func bulkPushesAlsoUseTheSecondKey() async throws {
        try await withSecondKey { client, _ in
            let batches = Batches()
            await HubPushSender(client: client).send(try .example(200)) { batches.take($0) }
            #expect(batches.results.map(\.number) == Array(0..<200))
            #expect(batches.results.allSatisfy { $0.disposition == .accepted && $0.requests <= 3 })
        }
    }

    @Test("Sending stops when both keys are refused")
    func sendingStopsWhenBothKeysAreRefused() async throws {
        try await withSecondKey(isTaken: false) { client, hub in
            let error = await #expect(throws: HubError.self) { try await client.sendExample() }
            #expect(error?.disposition == .stop(.credentials))
            #expect(hub.record.requests.count == 3)
        }
    }

    @Test("A second key for another hub is a configuration error")
    func secondKeyForAnotherHubIsAConfigurationError() throws {
        let first = try ConnectionString(parsing: Secret.connectionString)
        for other in [
            Secret.connectionString.replacing("contoso", with: "fabrikam"),
            Secret.connectionString + ";EntityPath=other",
        ] {
            let other = try ConnectionString(parsing: other)
            #expect(throws: HubConfigurationError.secondaryOfAnotherHub) {
                _ = try NotificationHubClient(
                    connectionString: first, secondary: other, hubName: HubName("news"))
            }
        }
    }

    @Test("An error contains the hub's code and detail")
    func errorContainsTheHubsCodeAndDetail() async throws {
        let error = try await failure(
            of: .status(
                400, [("TrackingId", "t-1")],
                body: "<Error><Code>400</Code><Detail>Bad format</Detail></Error>"))

        #expect(error.disposition == .rejected)
        #expect(error.status == 400)
        #expect(error.code == "400")
        #expect(error.detail == "Bad format")
        #expect(error.trackingID == "t-1")
        #expect(error.reason == "HTTP 400")
    }

    @Test("A throttling error contains the delay") func throttlingErrorContainsTheDelay()
        async throws
    {
        let error = try await failure(of: .status(429, [("Retry-After", "12")]))

        #expect(error.disposition == .retry(after: .seconds(12)))
        #expect(error.retryAfter == .seconds(12))
    }

    @Test("A redirect is not followed") func redirectIsNotFollowed() async throws {
        try await ScriptedHub.with(script: { _, _ in .accepted }) { target in
            let location = "http://127.0.0.1:\(target.port)/news/messages/"
            let error = try await failure(of: .status(307, [("Location", location)]))

            #expect(error.disposition == .stop(.notAHub))
            #expect(target.record.connections == 0)
        }
    }

    @Test("A huge error body is read only up to the limit")
    func hugeErrorBodyIsReadOnlyUpToTheLimit() async throws {
        let detail = String(repeating: "x", count: 10_000_000)
        let error = try await failure(
            of: .status(400, body: "<Error><Code>400</Code><Detail>\(detail)</Detail></Error>"))

        #expect(error.disposition == .rejected)
        #expect(error.code == "400")
        #expect((error.detail?.count ?? 0) <= 200)
    }

    @Test("A client sends nothing after its shutdown")
    func clientSendsNothingAfterItsShutdown() async throws {
        try await ScriptedHub.with(script: { _, _ in .accepted }) { hub in
            let client = try await NotificationHubClient.with(hub.connectionString()) { $0 }
            let error = await #expect(throws: HubError.self) { try await client.sendExample() }

            #expect(error?.disposition == .retry(after: nil))
            #expect(hub.record.requests.isEmpty)
        }
    }

    @Test("Cancelling a task does not lose the hub's response")
    func cancellingATaskDoesNotLoseTheHubsResponse() async throws {
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        try await NotificationHubClient.with(script: { _, _ in
            begin.finish()
            return ScriptedAnswer.accepted.delayed(.milliseconds(50))
        }) { client, _ in
            let receipt = try await withThrowingTaskGroup(of: SendReceipt.self) { group in
                group.addTask { try await client.sendExample() }
                for await _ in began {}
                group.cancelAll()
                return try await group.next()
            }

            #expect(receipt?.messageID == "id-1")
        }
    }
}
