import Foundation
import HTTPTypes
import Synchronization
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct FaultRuleTests {
    private func rule(
        _ effect: FaultEffect, _ change: (inout FaultRule) -> Void = { _ in }
    ) -> FaultRule {
        var rule = FaultRule(effect)
        change(&rule)
        return rule
    }

    @Test("A send that fails has no effect, and its response sets Retry-After")
    func sendThatFailsHasNoEffectAndItsResponseSetsRetryAfter() async throws {
        let rule = rule(.answer(status: 429, retryAfter: 7)) { $0.last = 1 }
        let hub = try HubUnderTest { $0.faults = [rule] }
        _ = try await hub.install("1", tags: ["username:alice"])
        let refused = try await hub.send()
        #expect(refused.status == .tooManyRequests)
        #expect(refused.header("Retry-After") == "7")
        #expect(refused.text.hasPrefix("<Error><Code>429</Code><Detail>"))
        #expect(await hub.server.received(by: "alice").isEmpty)
        let taken = try await hub.send()
        #expect(taken.status == .created)
    }

    @Test("An unauthorized request is refused before any fault")
    func unauthorizedRequestIsRefusedBeforeAnyFault() async throws {
        let rule = rule(.answer(status: 503, retryAfter: nil)) { $0.scope = .all }
        let hub = try HubUnderTest { $0.faults = [rule] }
        let nobody = try await hub.send(token: nil)
        #expect(nobody.status == .unauthorized)
        for uri in ["/hubsend", "/hubsend/registrations", "/hubsend/messages/x"] {
            let response = try await hub.request(.get, uri)
            #expect(response.status == .serviceUnavailable)
            #expect(response.header("Retry-After") == nil)
        }
    }

    @Test("If a connection is dropped after the send, the push is kept")
    func ifAConnectionIsDroppedAfterTheSendThePushIsKept() async throws {
        for takesEffect in [false, true] {
            let rule = rule(.drop(takesEffect: takesEffect))
            try await HubUnderTest.run(
                {
                    $0.faults = [rule]
                }, setup: .live
            ) { hub in
                _ = try await hub.install("1", tags: ["username:alice"])
                await #expect(throws: (any Error).self) { try await hub.send() }
                #expect(await hub.server.received(by: "alice").count == (takesEffect ? 1 : 0))
            }
        }
    }

    @Test("A late response is delayed by the configured latency")
    func lateResponseIsDelayedByTheConfiguredLatency() async throws {
        let slept = Mutex<[Duration]>([])
        let rule = rule(.latency(.milliseconds(250), jitter: .zero)) { $0.scope = .installations }
        try await HubUnderTest.run(
            { configuration in
                configuration.faults = [rule]
                configuration.sleep = { time in
                    guard time == .milliseconds(250) else {
                        try await Task.sleep(for: .seconds(3_600))
                        return
                    }
                    slept.withLock { $0.append(time) }
                }
            }, setup: .live
        ) { hub in
            let put = try await hub.install("1")
            #expect(put.status == .ok)
            let sent = try await hub.send()
            #expect(sent.status == .created)
        }
        #expect(slept.withLock { $0 } == [.milliseconds(250)])
    }

    @Test("A slow response arrives completely") func slowResponseArrivesCompletely() async throws {
        let rule = rule(.slow(bytesPerSecond: 4_000)) { $0.scope = .all }
        try await HubUnderTest.run({ $0.faults = [rule] }, setup: .live) { hub in
            let port = try #require(hub.client.port)
            let answer = try await RawConnection.exchange(port: port, RawConnection.send())
            #expect(answer.hasPrefix("HTTP/1.1 201 Created\r\n"))
            #expect(answer.hasSuffix("\r\n\r\n"))
        }
    }

    @Test("A wrong-token fault becomes the outcome of the device")
    func wrongTokenFaultBecomesTheOutcomeOfTheDevice() async throws {
        let hub = try HubUnderTest { $0.faults = [FaultRule(.wrongTokens)] }
        _ = try await hub.install("1", tags: ["username:alice"])
        let sent = try await hub.send()
        #expect(sent.status == .created)
        #expect(await hub.server.refused(for: "alice").map(\.outcome) == [.wrongToken])
    }
}
