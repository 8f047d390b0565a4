import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded)
struct LocalHubFaultTests {
    private func configuration(
        _ fault: @escaping @Sendable (SendRequestSummary) -> LocalHubFault?
    ) -> LocalHubConfiguration {
        var configuration = LocalHubConfiguration()
        configuration.limits.shutdownGrace = HubUnderTest.grace
        configuration.now = { HubUnderTest.now }
        configuration.devices = [LocalHubDevice(user: "alice", platform: .apns)]
        configuration.fault = fault
        return configuration
    }

    @Test("A single send can be answered with an error")
    func singleSendCanBeAnsweredWithAnError() async throws {
        let configuration = configuration {
            $0.ordinal == 2 ? .answer(status: 429, retryAfter: 7) : nil
        }
        let hub = try HubUnderTest { $0 = configuration }
        #expect(try await hub.send().status == .created)
        let second = try await hub.send()
        #expect(second.status == .tooManyRequests)
        #expect(second.header("Retry-After") == "7")
        #expect(second.text.hasPrefix("<Error><Code>429</Code>"))
        #expect(try await hub.send().status == .created)
        #expect(await hub.server.received(by: "alice").count == 2)
    }

    @Test("A fault can depend on the content of the send")
    func faultCanDependOnTheContentOfTheSend() async throws {
        let configuration = configuration { summary in
            summary
                == SendRequestSummary(
                    ordinal: 1, platform: .apns, tags: "username:alice || username:bob",
                    bodyBytes: HubUnderTest.silent.utf8.count)
                ? .answer(status: 503) : nil
        }
        let hub = try HubUnderTest { $0 = configuration }
        // A send that is refused anyway is not counted.
        #expect(try await hub.send(tags: "(").status == .badRequest)
        #expect(try await hub.send(token: nil).status == .unauthorized)
        let response = try await hub.send(tags: "username:alice || username:bob")
        #expect(response.status == .serviceUnavailable)
        #expect(response.header("Retry-After") == nil)
    }

    @Test("A dropped connection gets no response", arguments: [true, false])
    func droppedConnectionGetsNoResponse(effect: Bool) async throws {
        let configuration = configuration { _ in .drop(takesEffect: effect) }
        try await withLocalHub(configuration) { address, hub in
            let answer = try await RawConnection.exchange(port: address.port, RawConnection.send())
            #expect(answer.isEmpty)
            #expect(await hub.received(by: "alice").count == (effect ? 1 : 0))
        }
    }

    @Test("A hanging request ends when the hub shuts down", arguments: [true, false])
    func hangingRequestEndsWhenTheHubShutsDown(effect: Bool) async throws {
        let (requests, arrived) = AsyncStream.makeStream(of: Void.self)
        let configuration = configuration { _ in
            arrived.yield()
            return .hang(takesEffect: effect)
        }
        try await withThrowingTaskGroup(of: String.self) { clients in
            let received = try await withLocalHub(configuration) { address, hub in
                clients.addTask {
                    try await RawConnection.exchange(port: address.port, RawConnection.send())
                }
                _ = await requests.first { true }
                return hub
            }
            #expect(try await clients.next() == "")
            #expect(await received.received(by: "alice").count == (effect ? 1 : 0))
        }
    }

    @Test("A hanging request ends when the client disconnects")
    func hangingRequestEndsWhenTheClientDisconnects() async throws {
        let (requests, arrived) = AsyncStream.makeStream(of: Void.self)
        var configuration = configuration { summary in
            guard summary.ordinal == 1 else { return nil }
            arrived.yield()
            return .hang(takesEffect: false)
        }
        // With a limit of one connection, a second client is served only after the first connection
        // has ended.
        configuration.limits.connections = 1
        try await withLocalHub(configuration) { address, hub in
            let patient = Task {
                try await RawConnection.exchange(port: address.port, RawConnection.send())
            }
            _ = await requests.first { true }
            patient.cancel()
            _ = await patient.result
            let answer = try await RawConnection.exchange(port: address.port, RawConnection.send())
            #expect(answer.hasPrefix("HTTP/1.1 201"))
        }
    }
}
