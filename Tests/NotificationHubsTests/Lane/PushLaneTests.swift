import CampaignCore
import InMemoryLogging
import Logging
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct PushLaneTests {
    private static let unreachable = PushDisposition.retry(after: nil, cause: .unreachable)

    @Test("Connections are opened when needed and kept open")
    func connectionsAreOpenedWhenNeededAndKeptOpen() async throws {
        try await NotificationHubClient.with(concurrency: 6) { client, hub in
            let sender = HubPushSender(client: client)
            #expect(try await client.pushLane.openChannels() == 0)
            await sender.send(try .example(1)) { _ in }
            #expect(try await client.pushLane.openChannels() == 1)
            for _ in 0..<5 { await sender.send(try .example(60)) { _ in } }
            #expect(try await client.pushLane.openChannels() <= 6)
            #expect(hub.record.connections <= 6)
            #expect(hub.record.requests.count == 301)
        }
    }

    @Test("A connection closed between pages is not a failure")
    func connectionClosedBetweenPagesIsNotAFailure() async throws {
        let closing = ScriptedAnswer(bytes: ScriptedAnswer.accepted.bytes, closes: true)
        try await NotificationHubClient.with(answering: closing) { client, hub in
            let batches = Batches()
            for number in 0..<3 {
                await HubPushSender(client: client).send(
                    try .example(1, firstNumber: number)
                ) { batches.take($0) }
                try await client.pushLane.connectionsHaveEnded()
            }

            #expect(batches.results.map(\.disposition) == [.accepted, .accepted, .accepted])
            #expect(hub.record.connections == 3)
        }
    }

    @Test("A token is renewed before it expires") func tokenIsRenewedBeforeItExpires() async throws
    {
        let clock = ManualClock(1_800_000_000)
        try await ScriptedHub.with(script: { _, _ in .accepted }) { hub in
            try await NotificationHubClient.with(hub.connectionString(), now: { clock.now }) {
                client in
                let sender = HubPushSender(client: client)
                for step in [0.0, 3_000, 400] {
                    clock.advance(by: step)
                    await sender.send(try .example(1)) { _ in }
                }
                let tokens = hub.record.requests.compactMap { $0["Authorization"] }
                #expect(tokens.count == 3)
                #expect(tokens[0] == tokens[1])
                #expect(tokens[1] != tokens[2])
            }
        }
    }

    @Test("A shutdown closes every connection") func shutdownClosesEveryConnection() async throws {
        try await ScriptedHub.with(script: { _, _ in .accepted }) { hub in
            let client = try NotificationHubClient(
                connectionString: ConnectionString(parsing: hub.connectionString()),
                hubName: HubName("news"), settings: .patient)
            await HubPushSender(client: client).send(try .example(50)) { _ in }
            #expect(try await client.pushLane.openChannels() > 0)
            try await client.shutdown()

            #expect(try await client.pushLane.openChannels() == 0)
        }
    }

    @Test("A shutdown while sending produces a result for every push")
    func shutdownWhileSendingProducesAResultForEveryPush() async throws {
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        try await NotificationHubClient.with(
            script: { number, _ in
                if number == 1 { begin.finish() }
                return .silence
            }, concurrency: 2
        ) { client, _ in
            let batches = Batches()
            let page = try PushPage.example(5)
            await withTaskGroup { group in
                group.addTask {
                    await HubPushSender(client: client).send(page) { batches.take($0) }
                }
                for await _ in began {}
                await client.pushLane.shutDown()
            }

            #expect(batches.results.map(\.number) == Array(0..<5))
            #expect(batches.results.count { $0.disposition == .unknown } == 2)
            #expect(batches.results.count { $0.disposition == Self.unreachable } == 3)
            #expect(try await client.pushLane.openChannels() == 0)
        }
    }

    @Test("Nothing is sent after a shutdown", arguments: Route.allCases)
    func nothingIsSentAfterAShutdown(route: Route) async throws {
        try await ScriptedHub.with(script: { _, _ in .accepted }) { hub in
            let client = try NotificationHubClient(
                connectionString: ConnectionString(parsing: hub.connectionString()),
                hubName: HubName("news"), settings: .patient)
            let sender = HubPushSender(client: client)
            try await client.shutdown()
            let batches = Batches()
            await sender.send(try .example(3)) { batches.take($0) }

            #expect(
                batches.results.map(\.disposition) == Array(repeating: Self.unreachable, count: 3))
            #expect(batches.results.allSatisfy { $0.requests == 0 })
            #expect(hub.record.requests.isEmpty)
        }
    }

    /// A server that accepts connections and never answers; it counts the clients that sent
    /// something.
    private func withSilentServer(
        _ use: (String, Watched<Int>) async throws -> Void
    ) async throws {
        let greetings = Watched(0)
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(GreetingCounter(greetings))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = server.localAddress?.port ?? 0
        do {
            try await use(
                "Endpoint=sb://127.0.0.1:\(port)/;SharedAccessKeyName=Send;SharedAccessKey=\(Secret.key)",
                greetings)
        } catch {
            try await server.close()
            throw error
        }
        try await server.close()
    }

    @Test("Cancelling a page drops the pushes that wait for a connection")
    func cancellingAPageDropsThePushesThatWaitForAConnection() async throws {
        try await withSilentServer { name, greetings in
            try await NotificationHubClient.with(
                name, concurrency: 2, connectTimeout: .seconds(120)
            ) { client in
                let batches = Batches()
                let page = try PushPage.example(5)
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        await HubPushSender(client: client).send(page) { batches.take($0) }
                    }
                    // At that point, one push waits for its TLS handshake, and the others wait for
                    // the result.
                    try await greetings.wait { $0 == 1 }
                    group.cancelAll()
                    try await group.waitForAll()
                }

                #expect(batches.results.map(\.number).sorted() == Array(0..<5))
                #expect(batches.results.allSatisfy { $0.disposition == .notSent })
                #expect(batches.results.allSatisfy { $0.requests == 0 })
            }
        }
    }

    @Test("A TLS handshake that hangs is not counted as a request")
    func tlsHandshakeThatHangsIsNotCountedAsARequest() async throws {
        try await withSilentServer { name, _ in
            try await NotificationHubClient.with(name, requestTimeout: .milliseconds(200)) {
                client in
                let batches = Batches()
                await HubPushSender(client: client).send(try .example(2)) { batches.take($0) }

                #expect(batches.results.map(\.disposition) == [Self.unreachable, Self.unreachable])
                #expect(batches.results.map(\.requests) == [0, 0])
            }
        }
    }

    @Test("Later pages do not extend the timeout of a hanging push", arguments: Route.allCases)
    func laterPagesDoNotExtendTheTimeoutOfAHangingPush(route: Route) async throws {
        let dispositions = try await ShortTimeout.reachingTheHub(from: .milliseconds(500)) {
            timeout in
            try await ScriptedHub.with(script: { _, request in
                request["ServiceBusNotification-Tags"] == "username:u0"
                    ? .silence : .accepted.delayed(.milliseconds(20))
            }) { hub in
                try await NotificationHubClient.with(
                    hub.connectionString(), route: route, requestTimeout: timeout
                ) { client -> [PushDisposition]? in
                    let sender = HubPushSender(client: client)
                    let hanging = try PushPage.example(1)
                    let next = try PushPage.example(1, firstNumber: 9)
                    let batches = Batches()
                    await withTaskGroup { group in
                        group.addTask { await sender.send(hanging) { batches.take($0) } }
                        while batches.results.isEmpty { await sender.send(next) { _ in } }
                    }
                    let hasHung = hub.record.requests.contains {
                        $0["ServiceBusNotification-Tags"] == "username:u0"
                    }
                    return hasHung ? batches.results.map(\.disposition) : nil
                }
            }
        }
        #expect(dispositions == [.unknown])
    }

    @Test("No log line contains a secret") func noLogLineContainsASecret() async throws {
        let log = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in log }
        logger.logLevel = .trace
        try await ScriptedHub.with(script: { number, request in
            switch number % 3 {
            case 0: .accepted
            case 1:
                .status(400, body: "<Error><Detail>\(request["TrackingId"] ?? "")</Detail></Error>")
            default: .close
            }
        }) { hub in
            try await NotificationHubClient.with(hub.connectionString(), logger: logger) { client in
                await HubPushSender(client: client).send(try .example(30)) { _ in }
            }
        }
        #expect(log.entries.count == 30)
        for entry in log.entries {
            for text in Secret.texts(of: entry) {
                #expect(!Secret.isIn(text) && !text.contains(/sig=[^(]/))
                #expect(!text.contains("username:") && !text.contains("secureId"))
            }
        }
    }

    @Test(
        "Nothing more of a page reaches the hub after its lease has expired",
        arguments: Route.allCases)
    func nothingMoreOfAPageReachesTheHubAfterItsLeaseHasExpired(route: Route) async throws {
        let lease = RunLease.held()
        try await NotificationHubClient.with(
            script: { _, request in
                if request["ServiceBusNotification-Tags"] == "username:u9" { lease.end() }
                return .accepted
            }, route: route, concurrency: 1
        ) { client, hub in
            let sender = HubPushSender(client: client)
            let leased = try PushPage.example(30, lease: lease)
            let free = try PushPage.example(30, platform: .fcm, firstNumber: 30)
            let batches = Batches()
            await withTaskGroup { group in
                group.addTask { await sender.send(leased) { batches.take($0) } }
                group.addTask { await sender.send(free) { batches.take($0) } }
            }

            let unsent = batches.results.filter { $0.disposition == .notSent }
            #expect(unsent.map(\.number).sorted() == Array(10..<30))
            #expect(unsent.allSatisfy { $0.requests == 0 && !$0.detail.isEmpty })
            #expect(batches.results.count { $0.disposition == .accepted } == 40)
            #expect(hub.record.requests.count == 40)
        }
    }

    /// Code that counts lost responses in a row relies on this order.
    @Test("Results arrive in the order of the responses", arguments: Route.allCases)
    func resultsArriveInTheOrderOfTheResponses(route: Route) async throws {
        let gate = Gate()
        try await NotificationHubClient.with(
            script: { request, _ in
                request == 0 ? .accepted.held(by: gate) : .accepted
            }, route: route, concurrency: 2
        ) { client, _ in
            let numbers = Mutex<[Int]>([])
            await HubPushSender(client: client).send(try .example(20)) { results in
                let count = numbers.withLock { numbers in
                    numbers += results.map(\.number)
                    return numbers.count
                }
                // One of the first two pushes is answered last.
                if count == 19 { gate.open() }
            }

            let order = numbers.withLock { $0 }
            #expect(order.count == 20)
            #expect(Array(order.dropLast()) == order.dropLast().sorted())
            #expect(order.last.map { $0 < 2 } == true)
        }
    }

    @Test("A slow platform leaves connections for the others", arguments: Route.allCases)
    func slowPlatformLeavesConnectionsForTheOthers(route: Route) async throws {
        let gate = Gate()
        try await NotificationHubClient.with(
            script: { _, request in
                request["ServiceBusNotification-Format"] == "apple"
                    ? .accepted.held(by: gate) : .accepted
            }, route: route, concurrency: 4
        ) { client, _ in
            let sender = HubPushSender(client: client)
            let slow = try PushPage.example(10, platform: .apns, concurrency: 3)
            let fast = try PushPage.example(40, platform: .fcm, firstNumber: 10)
            let batches = Batches()
            await withTaskGroup { group in
                group.addTask { await sender.send(slow) { batches.take($0) } }
                group.addTask {
                    await sender.send(fast) { batches.take($0) }
                    // All pushes of the fast platform are done, but none of the slow platform.
                    #expect(batches.results.map(\.number) == Array(10..<50))
                    gate.open()
                }
            }

            #expect(batches.results.map(\.number) == Array(0..<50))
        }
    }

    @Test("Pushes of a platform start at the platform's own interval", arguments: Route.allCases)
    func pushesOfAPlatformStartAtThePlatformsOwnInterval(route: Route) async throws {
        try await NotificationHubClient.with(route: route) { client, hub in
            let page = try PushPage.example(16, platformInterval: .milliseconds(10))
            let took = await ContinuousClock().measure {
                await HubPushSender(client: client).send(page) { _ in }
            }

            #expect(hub.record.requests.count == 16)
            #expect(took >= .milliseconds(150))
        }
    }
}

/// Counts each client once, when its first bytes arrive.
private final class GreetingCounter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let greetings: Watched<Int>
    private var hasSpoken = false

    init(_ greetings: Watched<Int>) {
        self.greetings = greetings
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasSpoken else { return }
        hasSpoken = true
        greetings.update { $0 += 1 }
    }
}
