import InMemoryLogging
import Logging
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct SecrecyTests {
    private func isSafe(_ text: String) -> Bool {
        !Secret.isIn(text) && !text.contains(/sig=[^(]/)
            && !text.contains(NativeNotification.secretText) && !text.contains("username:alice")
    }

    @Test("No type prints a secret") func noTypePrintsASecret() async throws {
        let connectionString = try ConnectionString(parsing: Secret.connectionString)
        let client = try NotificationHubClient(
            connectionString: connectionString, hubName: HubName("news"))
        let tokens = TokenProvider(
            connectionString: connectionString, hubName: try HubName("news"),
            now: { ManualClock(0).now })
        let token = tokens.token()
        let request = client.encoder.request(
            shared: [:], tags: TagExpression(try Tag("username:alice")), trackingID: "t",
            authorization: token.authorization,
            body: ByteBuffer(string: NativeNotification.secretText))
        let values: [Any] = [
            connectionString, connectionString.key, token, tokens, request, client,
            try NativeNotification.silent(), HubPushSender(client: client),
            client.pushLane, CurrentToken(tokens),
        ]
        for value in values {
            for text in Secret.texts(of: value) { #expect(isSafe(text), "\(type(of: value))") }
        }
        try await client.shutdown()
    }

    @Test("No error or log line contains a secret")
    func noErrorOrLogLineContainsASecret() async throws {
        let log = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in log }
        logger.logLevel = .trace
        let answers: [ScriptedAnswer] = [.accepted, .status(401), .status(400), .close, .silence]
        try await ScriptedHub.with(script: { number, request in
            // A hub that repeats everything that it received.
            guard number > 0 else { return .accepted }
            let said = request["Authorization"] ?? ""
            let body =
                "<Error><Detail>\(said.split(separator: "&").joined(separator: "&amp;"))</Detail></Error>"
            return number % 2 == 0 ? .status(400, body: body) : answers[number % answers.count]
        }) { hub in
            try await NotificationHubClient.with(
                hub.connectionString(), requestTimeout: .milliseconds(200), logger: logger
            ) { client in
                for _ in 0..<answers.count * 2 {
                    do {
                        _ = try await client.sendExample()
                    } catch {
                        for text in Secret.texts(of: error) { #expect(isSafe(text)) }
                    }
                }
            }
        }
        #expect(log.entries.count >= answers.count)
        for entry in log.entries {
            for text in Secret.texts(of: entry) { #expect(isSafe(text)) }
        }
    }
}
