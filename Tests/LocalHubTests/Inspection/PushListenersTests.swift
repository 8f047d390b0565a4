import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct PushListenersTests {
    private static func registration(
        _ id: String, installation: String? = nil, tags: [String]
    ) -> Registration {
        Registration(
            id: id, platform: .apns, channel: .handle("h"), tags: tags, installationID: installation
        )
    }

    @Test("Only listeners for the device are woken") func onlyListenersForTheDeviceAreWoken() async
    {
        let all: [InspectedDevices] = [
            .user("alice"), .user("Zoe.K"), .installation("i1"), .registration("r1"),
            .user("bob"), .installation("i2"), .registration("r2"),
            // A tag is not a user name, and the ID of an installation is not that of a
            // registration.
            .user("username:alice"), .installation("r1"), .registration("i1"),
        ]
        var listeners = PushListeners()
        var waits: [(devices: InspectedDevices, rings: AsyncStream<Void>)] = []
        for devices in all {
            let (rings, bell) = AsyncStream.makeStream(of: Void.self)
            _ = listeners.add(devices, bell: bell)
            waits.append((devices, rings))
        }
        listeners.ring(for: [
            Self.registration(
                "r1", installation: "i1", tags: ["red", "username:alice", "$UserId:{Zoe.K}"])
        ])
        listeners.endAll()
        for (place, wait) in waits.enumerated() {
            var rung = 0
            for await _ in wait.rings { rung += 1 }
            #expect(rung == (place < 4 ? 1 : 0), "\(wait.devices)")
        }
        #expect(listeners.count == 0)
    }

    @Test("A removed listener is not woken") func removedListenerIsNotWoken() async {
        var listeners = PushListeners()
        let (first, firstBell) = AsyncStream.makeStream(of: Void.self)
        let (second, secondBell) = AsyncStream.makeStream(of: Void.self)
        let id = listeners.add(.user("alice"), bell: firstBell)
        let other = listeners.add(.user("alice"), bell: secondBell)
        listeners.remove(id)
        #expect(listeners.wantDevices)
        listeners.ring(for: [Self.registration("r1", tags: ["username:alice"])])
        firstBell.finish()
        secondBell.finish()
        var rings = (0, 0)
        for await _ in first { rings.0 += 1 }
        for await _ in second { rings.1 += 1 }
        #expect(rings == (0, 1))
        listeners.remove(other)
        #expect(!listeners.wantDevices)
    }
}
