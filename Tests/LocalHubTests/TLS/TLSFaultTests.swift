import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded, .serialized)
struct TLSFaultTests {
    @Test(
        "A dropped TLS connection gets no response", arguments: SecureHub.HTTPVersion.allCases,
        [true, false])
    func droppedTLSConnectionGetsNoResponse(
        version: SecureHub.HTTPVersion, effect: Bool
    ) async throws {
        try await SecureHub.run(
            version,
            { $0.fault = { $0.ordinal == 1 ? .drop(takesEffect: effect) : nil } }
        ) { hub in
            await #expect(throws: (any Error).self) { try await hub.send() }
            #expect(await hub.server.received(by: "alice").count == (effect ? 1 : 0))
            // Uses another client, because this one may not have noticed yet that its connection is
            // closed.
            try await SecureHub.withClient(version, trusting: hub.address.authorityPEM) {
                try await SecureHub(address: hub.address, server: hub.server, client: $0)
                    .expectSent()
            }
        }
    }

    @Test("Dropping an HTTP/2 connection ends all of its requests")
    func droppingAnHTTP2ConnectionEndsAllOfItsRequests() async throws {
        let (requests, arrived) = AsyncStream.makeStream(of: Void.self)
        try await SecureHub.run(
            .http2,
            {
                $0.fault = { summary in
                    arrived.yield()
                    return summary.ordinal == 1
                        ? .hang(takesEffect: false) : .drop(takesEffect: false)
                }
            }
        ) { hub in
            let request = try hub.sendRequest()
            let hung = Task { [client = hub.client] in
                try await client.execute(request, timeout: SecureHub.patience).status
            }
            _ = await requests.first { true }
            await #expect(throws: (any Error).self) { try await hub.send() }
            await #expect(throws: (any Error).self) { try await hung.value }
        }
    }

    @Test(
        "A hanging request gets no response at shutdown", arguments: SecureHub.HTTPVersion.allCases)
    func hangingRequestGetsNoResponseAtShutdown(version: SecureHub.HTTPVersion) async throws {
        let (requests, arrived) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { clients in
            var configuration = LocalHubConfiguration()
            configuration.tls = LocalHubTLS()
            configuration.limits.shutdownGrace = HubUnderTest.grace
            configuration.fault = { _ in
                arrived.yield()
                return .hang(takesEffect: false)
            }
            let hubConfiguration = configuration
            try await withLocalHub(hubConfiguration) { address, server in
                clients.addTask {
                    try await SecureHub.withClient(version, trusting: address.authorityPEM) {
                        let hub = SecureHub(address: address, server: server, client: $0)
                        await #expect(throws: (any Error).self) { try await hub.send() }
                    }
                }
                _ = await requests.first { true }
            }
            try await clients.waitForAll()
        }
    }

    @Test("A hanging request does not block others on its connection")
    func hangingRequestDoesNotBlockOthersOnItsConnection() async throws {
        let (requests, arrived) = AsyncStream.makeStream(of: Void.self)
        try await SecureHub.run(
            .http2,
            {
                $0.limits.connections = 1
                $0.fault = { summary in
                    guard summary.ordinal == 1 else { return nil }
                    arrived.yield()
                    return .hang(takesEffect: false)
                }
            }
        ) { hub in
            let request = try hub.sendRequest()
            let hung = Task { [client = hub.client] in
                try await client.execute(request, timeout: SecureHub.patience).status
            }
            _ = await requests.first { true }
            try await hub.expectSent()
            // The client gives up one request and keeps using the connection.
            hung.cancel()
            await #expect(throws: (any Error).self) { try await hung.value }
            try await hub.expectSent()
        }
    }

    @Test(
        "A hanging TLS request ends when the client disconnects",
        arguments: SecureHub.HTTPVersion.allCases)
    func hangingTLSRequestEndsWhenTheClientDisconnects(version: SecureHub.HTTPVersion) async throws
    {
        let (requests, arrived) = AsyncStream.makeStream(of: Void.self)
        try await SecureHub.run(
            version,
            {
                // With a limit of one connection, a second client is served only after the first
                // connection has ended.
                $0.limits.connections = 1
                $0.fault = { summary in
                    guard summary.ordinal == 1 else { return nil }
                    arrived.yield()
                    return .hang(takesEffect: false)
                }
            }
        ) { hub in
            let request = try hub.sendRequest()
            try await SecureHub.withClient(version, trusting: hub.address.authorityPEM) { client in
                let hung = Task {
                    try await client.execute(request, timeout: SecureHub.patience).status
                }
                _ = await requests.first { true }
                hung.cancel()
                await #expect(throws: (any Error).self) { try await hung.value }
            }
            try await hub.expectSent()
        }
    }

    @Test(
        "A slow TLS connection delivers the whole response",
        arguments: SecureHub.HTTPVersion.allCases
    )
    func slowTLSConnectionDeliversTheWholeResponse(version: SecureHub.HTTPVersion) async throws {
        try await SecureHub.run(
            version, { $0.faults = [FaultRule(.slow(bytesPerSecond: 20_000))] }
        ) { hub in
            for _ in 1...2 { try await hub.expectSent() }
            #expect(await hub.server.received(by: "alice").count == 2)
        }
    }

    @Test(
        "Late responses are sent immediately at shutdown", arguments: SecureHub.HTTPVersion.allCases
    )
    func lateResponsesAreSentImmediatelyAtShutdown(version: SecureHub.HTTPVersion) async throws {
        let clock = TestClock()
        try await withThrowingTaskGroup(of: Void.self) { clients in
            var configuration = LocalHubConfiguration()
            configuration.tls = LocalHubTLS()
            configuration.limits.shutdownGrace = HubUnderTest.grace
            configuration.faults = [FaultRule(.latency(.seconds(3_600), jitter: .zero))]
            configuration.sleep = { try await clock.sleep($0) }
            let hubConfiguration = configuration
            try await withLocalHub(hubConfiguration) { address, server in
                clients.addTask {
                    try await SecureHub.withClient(version, trusting: address.authorityPEM) {
                        let hub = SecureHub(address: address, server: server, client: $0)
                        try await hub.expectSent()
                    }
                }
                await clock.waitForSleep(of: .seconds(3_600))
            }
            try await clients.waitForAll()
        }
    }
}
