import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct HubDevicesTests {
    private static let addresses = (0..<5).map {
        DeviceAddress(platform: .apns, handle: "A\($0)")
    }
    private static let push = ReceivedPush(
        notificationID: "1", platform: .apns, headers: [:], body: [1], time: HubUnderTest.now,
        outcome: .success)

    @Test("The number of stored pushes is always correct")
    func numberOfStoredPushesIsAlwaysCorrect()
        throws
    {
        var limits = LocalHubLimits()
        limits.pushesPerDevice = 20
        limits.pushesInAll = 60
        var devices = HubDevices(limits: limits)
        for address in Self.addresses { try devices.add(address) }
        for step in 1...2_000 {
            let address = Self.addresses[step * step % 5]
            switch step % 97 {
            case 13: devices.remove(address)
            case 14: for address in Self.addresses { try devices.add(address) }
            case 40: _ = devices.clear(address)
            case 70: _ = devices.clear()
            default: _ = devices.deliver(Self.push, to: address, bytes: 1)
            }
            let kept = devices.kept.compactMap(devices.push)
            #expect(devices.pushCount == kept.count, "after step \(step)")
            for (address, device) in devices.all {
                #expect(
                    device.kept == kept.filter { $0.device == address }.map(\.sequence),
                    "after step \(step)")
                #expect(device.kept.allSatisfy { devices.push($0)?.sequence == $0 })
            }
        }
        #expect(devices.pushCount > 0)
    }

    @Test("Devices are listed in the order in which they were added")
    func devicesAreListedInTheOrderInWhichTheyWereAdded() throws {
        var devices = HubDevices(limits: LocalHubLimits())
        for address in Self.addresses { try devices.add(address) }
        devices.remove(Self.addresses[1])
        try devices.add(Self.addresses[1])
        #expect(devices.all.map(\.address) == [0, 2, 3, 4, 1].map { Self.addresses[$0] })
        #expect(devices.all.map(\.device.number) == [0, 2, 3, 4, 5])
        #expect(devices.address(ofNumber: 1) == nil)
        #expect(devices.address(ofNumber: 5) == Self.addresses[1])
    }
}
