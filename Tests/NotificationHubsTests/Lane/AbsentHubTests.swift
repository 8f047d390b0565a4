import CampaignCore
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import NotificationHubs

/// Tests hubs that do not answer: a few requests detect this, not every push.
@Suite(.bounded) struct AbsentHubTests {
    private static let unreachable = PushDisposition.retry(after: nil, cause: .unreachable)

    /// A server that accepts connections, counts them and closes them immediately.
    private func withClosingServer(
        _ use: (_ connectionString: String, _ connections: Watched<Int>) async throws -> Void
    ) async throws {
        let connections = Watched(0)
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                connections.update { $0 += 1 }
                channel.eventLoop.execute { channel.close(promise: nil) }
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = server.localAddress?.port ?? 0
        do {
            try await use(
                "Endpoint=sb://127.0.0.1:\(port)/;SharedAccessKeyName=Send;SharedAccessKey=\(Secret.key)",
                connections)
        } catch {
            try await server.close()
            throw error
        }
        try await server.close()
    }

    @Test(
        "A page of any size tries only one connection to an absent hub",
        arguments: Route.allCases, [10, 1_000])
    func pageOfAnySizeTriesOnlyOneConnectionToAnAbsentHub(route: Route, count: Int) async throws {
        try await withClosingServer { name, connections in
            try await NotificationHubClient.with(name, route: route, concurrency: 8) { client in
                let batches = Batches()
                await HubPushSender(client: client).send(try .example(count)) { batches.take($0) }

                #expect(batches.results.map(\.number) == Array(0..<count))
                #expect(Set(batches.results.map(\.disposition)) == [Self.unreachable])
                #expect(batches.results.allSatisfy { $0.requests == 0 && !$0.detail.isEmpty })
                #expect(connections.value == 1)

                // The next page tries again.
                await HubPushSender(client: client).send(try .example(1)) { batches.take($0) }
                #expect(connections.value == 2)
            }
        }
    }

    @Test("A silent hub receives no more requests than those in flight", arguments: Route.allCases)
    func silentHubReceivesNoMoreRequestsThanThoseInFlight(route: Route) async throws {
        let results = try await ShortTimeout.reachingTheHub(from: .milliseconds(500)) { timeout in
            try await ScriptedHub.with(script: { _, _ in .silence }) { hub in
                try await NotificationHubClient.with(
                    hub.connectionString(), route: route, concurrency: 2, requestTimeout: timeout
                ) { client -> [PushResult]? in
                    let batches = Batches()
                    await HubPushSender(client: client).send(try .example(40)) { batches.take($0) }
                    #expect(hub.record.requests.count <= 2)
                    return hub.record.requests.isEmpty ? nil : batches.results
                }
            }
        }
        #expect(results.map(\.number) == Array(0..<40))
        #expect((1...2).contains(results.count { $0.disposition == .unknown }))
        let rest = results.filter { $0.disposition != .unknown }
        #expect(rest.allSatisfy { $0.disposition == Self.unreachable && $0.requests == 0 })
        #expect(Set(results.map(\.detail)) == ["no response in time"])
    }

    @Test("Every push reports the host name that does not resolve", arguments: [5, 500])
    func everyPushReportsTheHostNameThatDoesNotResolve(count: Int) async throws {
        let name =
            "Endpoint=sb://no-such-hub.invalid/;SharedAccessKeyName=Send;SharedAccessKey=\(Secret.key)"
        try await NotificationHubClient.with(name, concurrency: 64) { client in
            let batches = Batches()
            await HubPushSender(client: client).send(try .example(count)) { batches.take($0) }
            #expect(batches.results.count == count)
            #expect(
                Set(batches.results.map(\.detail)) == [
                    "the name no-such-hub.invalid does not resolve"
                ])
        }
    }
}
