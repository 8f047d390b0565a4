import Foundation
import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct BoundedMemoryTests {
    /// A hub with low limits and ten devices of ten users.
    private func hub(_ limits: LocalHubLimits) throws -> HubStore {
        let hub = HubStore(
            name: "h", description: HubDescription(created: HubUnderTest.now), limits: limits)
        for number in 0..<10 {
            let device = LocalHubDevice(user: "\(number)", platform: .apns, handle: "A\(number)")
            try hub.update { state in
                try state.put(device.installation(number: 0), at: HubUnderTest.now) {
                    .random(in: .min ... .max)
                }
            }
        }
        return hub
    }

    @Test("The hub stores no more than its limits allow") func hubStoresNoMoreThanItsLimitsAllow()
        throws
    {
        var limits = LocalHubLimits()
        limits.pushesPerDevice = 20
        limits.pushesInAll = 150
        limits.notifications = 70
        limits.feedback = 30
        let hub = try hub(limits)
        // Streams that nobody reads.
        let streams = (0..<10).map { PushSubscription(to: .user("\($0)"), of: hub) }
        let send = try SendRequest(
            ["servicebusnotification-format": "apple"], payload: Array("{}".utf8), to: .everyone)
        let lost = PushRefusal.expiredAddress(on: .apns)
        for number in 1...1_000 {
            hub.update { state in
                _ = state.deliver(
                    send, id: "\(number)", enqueued: HubUnderTest.now, now: HubUnderTest.now,
                    fault: { number.isMultiple(of: 2) && $0.handle == "A0" ? lost : nil })
            }
        }
        hub.update { state in
            let devices = state.devices.all.map(\.device)
            #expect(devices.map(\.count).reduce(0, +) == 10_000)
            #expect(devices.map(\.kept.count).reduce(0, +) == 150)
            #expect(devices.allSatisfy { $0.kept.count <= 20 })
            #expect(state.notifications.all.map(\.id) == (931...1_000).map(String.init))
            #expect(state.feedback.entries.count == 30)
            #expect(state.listeners.count == 10)
            #expect(state.counts.sends == 1_000)
        }
        #expect(streams.count == 10)
    }

    @Test("Stored notifications are limited by their size")
    func storedNotificationsAreLimitedByTheirSize() throws {
        var limits = LocalHubLimits()
        limits.notificationBytes = 50_000
        let hub = try hub(limits)
        let send = try SendRequest(
            ["servicebusnotification-format": "windows", "x-wns-type": "wns/raw"],
            payload: [UInt8](repeating: 7, count: 5_000), to: .everyone)
        for number in 1...1_000 {
            hub.update { state in
                _ = state.deliver(
                    send, id: "\(number)", enqueued: HubUnderTest.now, now: HubUnderTest.now,
                    fault: { _ in nil })
            }
        }
        let kept = hub.update { Array($0.notifications.all) }
        #expect(kept.map(\.size).reduce(0, +) <= 50_000)
        #expect(kept.last?.id == "1000")
    }

    @Test("Stored pushes are limited by their size") func storedPushesAreLimitedByTheirSize() throws
    {
        var limits = LocalHubLimits()
        limits.pushBytes = 50_000
        let hub = try hub(limits)
        let send = try SendRequest(
            ["servicebusnotification-format": "windows", "x-wns-type": "wns/raw"],
            payload: [UInt8](repeating: 7, count: 5_000), to: .channels([.handle("W")]))
        let apple = try SendRequest(
            ["servicebusnotification-format": "apple"],
            payload: Array("{\"a\":\"\(String(repeating: "x", count: 4_000))\"}".utf8),
            to: .everyone)
        for number in 1...100 {
            hub.update { state in
                for send in [send, apple] {
                    _ = state.deliver(
                        send, id: "\(number)", enqueued: HubUnderTest.now, now: HubUnderTest.now,
                        fault: { _ in nil })
                }
            }
        }
        let kept = hub.update { state in
            (0..<10).flatMap { state.pushes(to: .user("\($0)")).map(\.kept) }
        }
        // Ten devices share the payload of each send.
        #expect((110...130).contains(kept.count), "\(kept.count)")
        #expect(Set(kept.map(\.push.notificationID)).contains("100"))
    }

    @Test("A device without registrations is forgotten")
    func deviceWithoutRegistrationsIsForgotten() async throws {
        let hub = try HubUnderTest { $0.limits.devices = 2 }
        for number in 1...10 {
            let put = try await hub.install("\(number)")
            #expect(put.status == .ok)
            _ = try await hub.request(.delete, "/hubsend/installations/\(number)")
            #expect(hub.server.counts.devices == 0)
        }
        for token in ["aa", "bb", "cc"] {
            let put = try await hub.request(
                .put, "/hubsend/registrations/1-2-3",
                body: RegistrationRequestTests.body(
                    "AppleRegistrationDescription", "<DeviceToken>\(token)</DeviceToken>"))
            #expect(put.status == .ok)
            #expect(hub.server.counts.devices == 1)
        }
    }

    @Test("Replacing an installation does not remove its received pushes")
    func replacingAnInstallationDoesNotRemoveItsReceivedPushes() async throws {
        let hub = try HubUnderTest()
        _ = try await hub.install("1", tags: ["username:alice"])
        _ = try await hub.send()
        _ = try await hub.install("1", tags: ["username:alice", "b"])
        #expect(await hub.server.received(by: "alice").count == 1)
    }
}
