import Foundation
import InMemoryLogging
import Logging
import ServiceLifecycle
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded)
struct LocalHubServerTests {
    private struct WorkFailed: Error {}

    private var configuration: LocalHubConfiguration {
        var configuration = LocalHubConfiguration()
        configuration.limits.shutdownGrace = HubUnderTest.grace
        configuration.now = { HubUnderTest.now }
        configuration.devices = [LocalHubDevice(user: "alice", platform: .apns)]
        return configuration
    }

    /// Sends to the port of a stopped hub.
    ///
    /// Another server may use the port now, so only the hub's own state is checked.
    private func expectNobody(at port: Int, of hub: LocalHubServer) async {
        let sends = hub.counts.sends
        do {
            _ = try await RawConnection.exchange(port: port, RawConnection.send())
        } catch {
        }
        #expect(hub.counts.sends == sends)
    }

    @Test("An embedded hub stops when the work ends")
    func embeddedHubStopsWhenTheWorkEnds() async throws {
        let (port, hub) = try await withLocalHub(configuration) { address, hub in
            #expect(address.port > 0)
            #expect(address.httpURL == "http://127.0.0.1:\(address.port)")
            let answer = try await RawConnection.exchange(port: address.port, RawConnection.send())
            #expect(answer.hasPrefix("HTTP/1.1 201"))
            #expect(await hub.received(by: "alice").count == 1)
            return (address.port, hub)
        }
        await expectNobody(at: port, of: hub)
    }

    @Test("An error that the work throws is passed on") func errorThatTheWorkThrowsIsPassedOn()
        async
    {
        await #expect(throws: WorkFailed.self) {
            try await withLocalHub(configuration) { (_, _) -> Void in throw WorkFailed() }
        }
    }

    @Test("Cancellation ends the work and the hub")
    func cancellationEndsTheWorkAndTheHub() async throws {
        let (ready, isReady) = AsyncStream.makeStream(of: (Int, LocalHubServer).self)
        let configuration = configuration
        let work = Task {
            try await withLocalHub(configuration) { address, hub in
                isReady.yield((address.port, hub))
                for await _ in AsyncStream.makeStream(of: Never.self).stream {}
                try Task.checkCancellation()
            }
        }
        let (port, hub) = try #require(await ready.first { _ in true })
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        await expectNobody(at: port, of: hub)
    }

    @Test("A normal shutdown logs no warnings") func normalShutdownLogsNoWarnings() async throws {
        let log = InMemoryLogHandler()
        let logger = {
            var logger = Logger(label: "test") { _ in log }
            logger.logLevel = .trace
            return logger
        }()
        var configuration = configuration
        configuration.fault = { $0.ordinal == 1 ? .drop(takesEffect: false) : nil }
        let hubConfiguration = configuration
        let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
        let cancelled = Task {
            try await withLocalHub(configuration: hubConfiguration, logger: logger) {
                address, _ in
                _ = try await RawConnection.exchange(port: address.port, RawConnection.send())
                let answer = try await RawConnection.exchange(
                    port: address.port, RawConnection.send())
                #expect(answer.hasPrefix("HTTP/1.1 201"))
                isReady.yield()
                for await _ in AsyncStream.makeStream(of: Never.self).stream {}
            }
        }
        _ = await ready.first { true }
        cancelled.cancel()
        _ = await cancelled.result
        try await withLocalHub(configuration: hubConfiguration, logger: logger) { _, _ in }
        #expect(log.entries.contains { $0.level == .info })
        #expect(log.entries.filter { $0.level > .info } == [])
        #expect(log.entries.allSatisfy { !"\($0)".contains("SharedAccess") })
    }

    @Test("An idle connection does not delay the shutdown")
    func idleConnectionDoesNotDelayTheShutdown() async throws {
        try await withThrowingTaskGroup(of: String.self) { clients in
            let (answers, answered) = AsyncStream.makeStream(of: Void.self)
            try await withLocalHub(configuration) { address, _ in
                clients.addTask {
                    try await RawConnection.exchange(
                        port: address.port,
                        RawConnection.send().replacing("Connection: close\r\n", with: "")
                    ) { _ in
                        answered.yield()
                        return false
                    }
                }
                _ = await answers.first { true }
            }
            #expect(try await clients.next()?.hasPrefix("HTTP/1.1 201") == true)
        }
    }

    @Test("A half-sent request does not delay the shutdown for long")
    func halfSentRequestDoesNotDelayTheShutdownForLong() async throws {
        var configuration = configuration
        configuration.limits.shutdownGrace = .milliseconds(50)
        let hubConfiguration = configuration
        try await withThrowingTaskGroup(of: String.self) { clients in
            let (answers, answered) = AsyncStream.makeStream(of: Void.self)
            try await withLocalHub(hubConfiguration) { address, _ in
                let head = RawConnection.send(headers: "Expect: 100-continue\r\n")
                    .dropLast(HubUnderTest.silent.count)
                clients.addTask {
                    try await RawConnection.exchange(port: address.port, String(head)) { _ in
                        answered.yield()
                        return false
                    }
                }
                _ = await answers.first { true }
            }
            #expect(try await clients.next()?.hasPrefix("HTTP/1.1 100") == true)
        }
    }

    @Test("The error about a port in use is a sentence")
    func errorAboutAPortInUseIsASentence() async throws {
        let configuration = configuration
        try await withLocalHub(configuration) { address, _ in
            var second = configuration
            second.port = address.port
            let expected = LocalHubError.portInUse(host: "127.0.0.1", port: address.port)
            let secondConfiguration = second
            await #expect(throws: expected) {
                try await withLocalHub(secondConfiguration) { _, _ in }
            }
            #expect(expected.description.contains("the port is in use; stop the other program"))
        }
    }

    @Test("A service group can run and stop the hub")
    func serviceGroupCanRunAndStopTheHub() async throws {
        let (ready, isReady) = AsyncStream.makeStream(of: LocalHubAddress.self)
        let server = try LocalHubServer(
            configuration: configuration, logger: HubUnderTest.quiet
        ) { isReady.yield($0) }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [server], logger: HubUnderTest.quiet))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let address = try #require(await ready.first { _ in true })
            let answer = try await RawConnection.exchange(port: address.port, RawConnection.send())
            #expect(answer.hasPrefix("HTTP/1.1 201"))
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
