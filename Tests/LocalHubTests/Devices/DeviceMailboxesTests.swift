import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct DeviceMailboxesTests {
    private static let devices = (0..<5).map {
        DeviceAddress(platform: .apns, handle: "A\($0)")
    }
    private static let push = ReceivedPush(
        notificationID: "1", platform: .apns, headers: [:], body: [1], time: HubUnderTest.now,
        outcome: .success)

    private func kept(_ mailboxes: DeviceMailboxes) -> Int {
        Self.devices.reduce(0) { $0 + (mailboxes[$1]?.entries.count ?? 0) }
    }

    @Test func theKeptPushesAreCountedHoweverTheyComeAndGo() throws {
        var limits = LocalHubLimits()
        limits.pushesPerDevice = 20
        limits.pushesInAll = 60
        var mailboxes = DeviceMailboxes(limits: limits)
        for device in Self.devices { try mailboxes.add(device) }
        for step in 1...2_000 {
            let device = Self.devices[step * step % 5]
            switch step % 97 {
            case 13: mailboxes.remove(device)
            case 14: for device in Self.devices { try mailboxes.add(device) }
            case 40: _ = mailboxes.clear(device, through: mailboxes.newestSequence - step % 7)
            case 70: _ = mailboxes.clear(through: mailboxes.newestSequence - 9, limit: 50)
            default: _ = mailboxes.deliver(Self.push, to: device, bytes: 1)
            }
            #expect(mailboxes.pushCount == kept(mailboxes), "after step \(step)")
        }
        #expect(mailboxes.pushCount > 0)
    }

    @Test func aPushThatComesWhileAMailboxIsClearedStays() throws {
        let device = Self.devices[0]
        var mailboxes = DeviceMailboxes(limits: LocalHubLimits())
        try mailboxes.add(device)
        for _ in 1...3 { _ = mailboxes.deliver(Self.push, to: device, bytes: 1) }
        let newest = mailboxes.newestSequence
        _ = mailboxes.deliver(Self.push, to: device, bytes: 1)
        #expect(mailboxes.clear(device, through: newest) == 3)
        #expect(mailboxes[device]?.entries.map(\.sequence) == [4])
        #expect(mailboxes.clear(device, through: newest) == 0)
        #expect(mailboxes.pushCount == 1)
    }
}
