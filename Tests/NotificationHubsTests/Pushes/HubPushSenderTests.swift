import CampaignCore
import NIOCore
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct HubPushSenderTests {
    @Test("Every push has one result", arguments: Route.allCases) func everyPushHasOneResult(
        route: Route
    ) async throws {
        try await NotificationHubClient.with(route: route) { client, hub in
            let batches = Batches()
            await HubPushSender(client: client).send(try .example(500)) { batches.take($0) }

            #expect(batches.results.map(\.number) == Array(0..<500))
            #expect(
                batches.results.allSatisfy {
                    $0.disposition == .accepted && $0.hubMessage == "id-1" && $0.requests == 1
                        && $0.detail.isEmpty
                })
            #expect(
                Set(hub.record.requests.compactMap { $0["ServiceBusNotification-Tags"] })
                    == Set((0..<500).map { "username:u\($0)" }))
            #expect(Set(hub.record.requests.compactMap { $0["TrackingId"] }).count == 500)
            #expect(Set(hub.record.requests.compactMap { $0["Authorization"] }).count == 1)
        }
    }

    @Test("An empty page sends nothing", arguments: Route.allCases) func emptyPageSendsNothing(
        route: Route
    ) async throws {
        try await NotificationHubClient.with(Secret.connectionString, route: route) { client in
            let batches = Batches()
            await HubPushSender(client: client).send(try .example(0)) { batches.take($0) }

            #expect(batches.all.isEmpty)
        }
    }

    @Test("The limit of requests in flight covers all pages", arguments: Route.allCases)
    func limitOfRequestsInFlightCoversAllPages(route: Route)
        async throws
    {
        try await NotificationHubClient.with(
            answering: .accepted.delayed(.milliseconds(5)), route: route, concurrency: 4
        ) { client, hub in
            let sender = HubPushSender(client: client)
            let batches = Batches()
            let pages = try (0..<3).map { try PushPage.example(40, firstNumber: $0 * 40) }
            await withTaskGroup { group in
                for page in pages {
                    group.addTask { await sender.send(page) { batches.take($0) } }
                }
            }

            #expect(batches.results.map(\.number) == Array(0..<120))
            #expect(hub.record.mostOpen <= 4)
            #expect(hub.record.connections <= 4)
        }
    }

    @Test("A hanging request does not delay other results", arguments: Route.allCases)
    func hangingRequestDoesNotDelayOtherResults(route: Route)
        async throws
    {
        let gate = Gate()
        try await NotificationHubClient.with(
            script: { _, request in
                request["ServiceBusNotification-Tags"] == "username:u0"
                    ? .accepted.held(by: gate) : .accepted
            }, route: route
        ) { client, _ in
            let batches = Batches()
            await HubPushSender(client: client).send(try .example(20)) {
                batches.take($0)
                if batches.results.count == 19 { gate.open() }
            }

            #expect(batches.results.count == 20)
            #expect(batches.all.last?.map(\.number) == [0])
        }
    }

    @Test("Cancelling finishes pushes in flight and skips the others", arguments: Route.allCases)
    func cancellingFinishesPushesInFlightAndSkipsTheOthers(
        route: Route
    ) async throws {
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        let gate = Gate()
        try await NotificationHubClient.with(
            script: { number, _ in
                if number == 7 { begin.finish() }
                return .accepted.held(by: gate)
            }, route: route, concurrency: 8
        ) { client, hub in
            let batches = Batches()
            let page = try PushPage.example(200)
            await withTaskGroup { group in
                group.addTask {
                    await HubPushSender(client: client).send(page) { batches.take($0) }
                }
                for await _ in began {}
                group.cancelAll()
                gate.open()
            }

            let sent = batches.results.filter { $0.disposition == .accepted }
            let notSent = batches.results.filter { $0.disposition == .notSent }
            #expect(batches.results.map(\.number) == Array(0..<200))
            #expect(sent.count == hub.record.requests.count)
            #expect(sent.count >= 8)
            #expect(notSent.count == 200 - sent.count)
            #expect(notSent.count > 0)
            #expect(notSent.allSatisfy { $0.requests == 0 })
        }
    }

    @Test("No push starts after a stop", arguments: Route.allCases) func noPushStartsAfterAStop(
        route: Route
    ) async throws {
        try await NotificationHubClient.with(
            answering: .status(404), route: route, concurrency: 2
        ) { client, hub in
            let sender = HubPushSender(client: client)
            let batches = Batches()
            await sender.send(try .example(100)) { batches.take($0) }

            #expect(batches.results.count == 100)
            #expect(batches.results.filter { $0.disposition == .stop(.hubNotFound) }.count <= 2)
            #expect(batches.results.filter { $0.disposition == .notSent }.count >= 98)
            #expect(hub.record.requests.count <= 2)

            // A later page tries again, because the hub may have been created in the meantime.
            await sender.send(try .example(1)) { batches.take($0) }
            #expect(batches.all.last?.map(\.disposition) == [.stop(.hubNotFound)])
        }
    }

    @Test("Requests start one interval apart", arguments: Route.allCases)
    func requestsStartOneIntervalApart(route: Route) async throws {
        try await NotificationHubClient.with(route: route) { client, _ in
            let batches = Batches()
            let took = try await ContinuousClock().measure {
                await HubPushSender(client: client).send(
                    try .example(21, interval: .milliseconds(10))
                ) { batches.take($0) }
            }

            #expect(batches.results.count == 21)
            #expect(took >= .milliseconds(200))
        }
    }

    @Test("A push without a connection is not counted as a request", arguments: Route.allCases)
    func pushWithoutAConnectionIsNotCountedAsARequest(route: Route) async throws {
        try await NotificationHubClient.with(ScriptedHub.refusing, route: route) { client in
            let batches = Batches()
            await HubPushSender(client: client).send(try .example(3)) { batches.take($0) }

            #expect(batches.results.count == 3)
            #expect(
                batches.results.allSatisfy {
                    $0.disposition == .retry(after: nil, cause: .unreachable) && $0.requests == 0
                        && $0.detail == route.refusal
                })
        }
    }

    @Test("A push without recipients is never sent as a broadcast", arguments: Route.allCases)
    func pushWithoutRecipientsIsNeverSentAsABroadcast(route: Route)
        async throws
    {
        try await NotificationHubClient.with(route: route) { client, hub in
            var page = try PushPage.example(1)
            page.pushes[0].usernames = []
            let batches = Batches()
            let sender = HubPushSender(client: client)
            await sender.send(page) { batches.take($0) }

            #expect(batches.results.map(\.disposition) == [.rejected])
            #expect(sender.describe(page) == nil)
            #expect(hub.record.requests.isEmpty)
        }
    }

    @Test("A header value that contains another header is not sent", arguments: Route.allCases)
    func headerValueThatContainsAnotherHeaderIsNotSent(
        route: Route
    ) async throws {
        try await NotificationHubClient.with(route: route) { client, hub in
            var page = try PushPage.example(1)
            page.headers = [PushHeader("apns-priority", "5\r\nServiceBusNotification-Tags: all")]
            let batches = Batches()
            await HubPushSender(client: client).send(page) { batches.take($0) }

            #expect(batches.results.map(\.disposition) == [.rejected])
            #expect(batches.results.map(\.requests) == [0])
            #expect(hub.record.requests.isEmpty)
        }
    }
}
