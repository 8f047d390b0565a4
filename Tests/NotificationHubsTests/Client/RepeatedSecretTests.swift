import CampaignCore
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import NotificationHubs

/// Hubs that repeat a request's token or signature where it would be stored or shown.
@Suite(.bounded) struct RepeatedSecretTests {
    /// Every part of a response from which text is taken.
    private static func answer(_ status: Int, repeating text: String) -> ScriptedAnswer {
        let escaped = text.replacing("&", with: "&amp;")
        return .status(
            status,
            [
                ("Location", "https://h/news/messages/\(text.replacing("/", with: "%2F"))?a=b"),
                ("TrackingId", text), ("x-ms-correlation-request-id", text),
            ],
            body: "<Error><Code>\(escaped)</Code><Detail>got \(escaped) from you</Detail></Error>")
    }

    @Test("No push result reveals a secret that the hub repeats", arguments: Route.allCases)
    func noPushResultRevealsASecretThatTheHubRepeats(route: Route) async throws {
        let count = 22
        try await ScriptedHub.with(script: { number, request in
            let forms = SentToken(request).forms
            return Self.answer(
                number % 2 == 0 ? 400 : 201, repeating: forms[number / 2 % forms.count])
        }) { hub in
            let results = try await NotificationHubClient.with(
                hub.connectionString(), route: route, concurrency: 1
            ) { client in
                let batches = Batches()
                await HubPushSender(client: client).send(try .example(count)) { batches.take($0) }
                return batches.results
            }
            let token = SentToken(try #require(hub.record.requests.first))
            #expect(results.count == count)
            #expect(results.count(where: { $0.disposition == .accepted }) == count / 2)
            #expect(results.allSatisfy { $0.hubMessage == nil })
            #expect(!token.isTold(in: results.flatMap { Secret.texts(of: $0) }))
            let rejected = results.filter { $0.disposition == .rejected }
            #expect(rejected.count == count / 2)
            #expect(rejected.allSatisfy { $0.detail.contains("(hidden)") })
        }
    }

    @Test("A token that has since been renewed is also hidden", arguments: Route.allCases)
    func tokenThatHasSinceBeenRenewedIsAlsoHidden(route: Route) async throws {
        let clock = ManualClock(1_767_222_000)
        let first = Mutex<SentToken?>(nil)
        try await NotificationHubClient.with(
            script: { _, request in
                let token = first.withLock { first in
                    first = first ?? SentToken(request)
                    return first
                }
                return Self.answer(400, repeating: token?.signature ?? "")
            }, route: route, concurrency: 1, now: { clock.now }
        ) { client, hub in
            let sender = HubPushSender(client: client)
            for _ in 0..<3 {
                let batches = Batches()
                await sender.send(try .example(1)) { batches.take($0) }
                #expect(batches.results.map(\.detail) == ["HTTP 400: got (hidden) from you"])
                clock.advance(by: 3_600)
            }
            let tokens = hub.record.requests.map { SentToken($0).signature }
            #expect(Set(tokens).count == 3, "the token was renewed")
        }
    }

    /// The results and errors of every operation except pushes.
    private static let operations: [@Sendable (NotificationHubClient) async throws -> Any] = [
        { try await $0.sendExample() },
        { try await $0.broadcast(.silent()) },
        { try await $0.send(.silent(), to: DeviceHandle("ABCD")) },
        { try await $0.schedule(.silent(), to: TagExpression(Tag("a")), at: .now) },
        { try await $0.cancelScheduled(id: "1") },
        { try await $0.testSend(.silent(), to: TagExpression(Tag("a"))) },
        { try await $0.notificationDetails(id: "1") as Any },
        { try await $0.feedbackContainerURL() },
        { try await $0.createRegistrationID() },
        { try await $0.create(Registration(channel: .apple(deviceToken: "ABCD"), tags: [])) },
        { try await $0.registration(id: "1") as Any },
        { try await $0.deleteRegistration(id: "1") },
        { client in
            var all: [Registration] = []
            for try await registration in client.registrations() { all.append(registration) }
            return all
        },
        { try await $0.put(Installation(id: "1", channel: .apple(deviceToken: "ABCD"))) },
        { try await $0.installation(id: "1") as Any },
        { try await $0.patch(installation: "1", [.addTag("a")]) },
        { try await $0.deleteInstallation(id: "1") },
        { try await HubDeviceRegistrar(client: $0).createID() },
        {
            try await HubDeviceRegistrar(client: $0).register(
                "1", platform: .apns, handle: "ABCD", tags: [])
        },
        { try await HubDeviceRegistrar(client: $0).ids(ofHandle: "ABCD") },
    ]

    /// Valid responses to reads, with a given text in each.
    private static func goodBodies(_ text: String) -> [String] {
        [
            """
            <entry xmlns="http://www.w3.org/2005/Atom"><content type="application/xml">\
            <AppleRegistrationDescription><ETag>1</ETag><Tags>\(text)</Tags>\
            <RegistrationId>\(text)</RegistrationId><DeviceToken>ABCD</DeviceToken>\
            </AppleRegistrationDescription></content></entry>
            """,
            """
            {"installationId":"\(text)","platform":"apns","pushChannel":"ABCD","tags":["a"]}
            """,
            "https://storage.example/\(text)",
        ]
    }

    @Test("A secret that the hub repeats is not revealed by any other call")
    func secretThatTheHubRepeatsIsNotRevealedByAnyOtherCall() async throws {
        try await NotificationHubClient.with(script: { number, request in
            let token = SentToken(request)
            switch number % 5 {
            case 0: return Self.answer(400, repeating: token.signature)
            case 1: return Self.answer(403, repeating: token.authorization)
            case let kind:
                let body = Self.goodBodies(token.signature)[kind - 2]
                return .status(
                    200, [("Location", "https://h/news/x/\(token.forms[2])")], body: body)
            }
        }) { client, hub in
            var texts: [String] = []
            for operation in Self.operations {
                // Every operation makes one request for every response.
                for _ in 0..<5 {
                    do {
                        texts += Secret.texts(of: try await operation(client))
                    } catch {
                        texts += Secret.texts(of: error)
                    }
                }
            }
            #expect(hub.record.requests.count == Self.operations.count * 5)
            let token = SentToken(try #require(hub.record.requests.first))
            #expect(!token.isTold(in: texts))
        }
    }
}
