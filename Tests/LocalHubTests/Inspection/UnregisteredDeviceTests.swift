import Foundation
import TestSupport
import Testing

@testable import LocalHub

/// A device that nobody has registered is looked at like any other.
@Suite(.bounded) struct UnregisteredDeviceTests {
    private let address = DeviceAddress(platform: .apns, handle: "ab12")

    private func hub() throws -> HubStore {
        let hub = HubStore(
            name: "h", description: HubDescription(created: HubUnderTest.now),
            limits: LocalHubLimits())
        let push = ReceivedPush(
            notificationID: "n", platform: .apns, headers: [:],
            body: Array(#"{"aps":{"alert":"Hi"}}"#.utf8), time: HubUnderTest.now, outcome: .success)
        try hub.update { state throws(HubFailure) in
            try state.devices.add(address)
            _ = state.devices.deliver(push, to: address, bytes: 1)
        }
        return hub
    }

    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func itsMessagesAreListedWithoutAUser() throws {
        var search = MessageSearch(MessageQuery(), in: try hub())
        let page = search.page()
        let message = try #require(page.messages.first)
        let text = try json(message)
        #expect(text.contains(#""registration":null"#))
        #expect(text.contains(#""handle":"AB12""#))
        #expect(text.contains(#""tags":[],"#))
        #expect(text.contains(#""users":[]"#))
    }

    @Test func itIsAmongTheDevices() throws {
        var listing = DeviceListing(search: nil, from: 0, limit: 10, in: try hub())
        let page = listing.page()
        #expect(page.total == 1)
        #expect(try json(try #require(page.devices.first)).contains(#""registration":null"#))
    }
}
