import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

/// Tests devices that are known only from direct sends.
@Suite(.bounded) struct UnregisteredDeviceTests {
    private static let alice = LocalHubDevice(user: "alice", platform: .apns, handle: "AB12")

    @Test("An unregistered device is listed without a user")
    func unregisteredDeviceIsListedWithoutAUser() async throws {
        let hub = try HubUnderTest { $0.devices = [Self.alice] }
        _ = try await hub.direct("cd34")
        let page: InboxAnswers.Devices = try await hub.inspect("/devices")
        #expect(page.total == 2)
        #expect(page.devices.map(\.handle) == ["AB12", "CD34"])
        #expect(page.devices.map(\.users) == [["alice"], []])
        #expect(page.devices.map(\.count) == [0, 1])
        let nobody = try #require(page.devices.last)
        #expect(nobody.registration == "nobody-1")
        #expect(nobody.tags.isEmpty)
        #expect(nobody.installation == nil)
        let found: InboxAnswers.Devices = try await hub.inspect("/devices?search=nobody")
        #expect(found.total == 0)
    }

    @Test("Messages of an unregistered device are found")
    func messagesOfAnUnregisteredDeviceAreFound() async throws {
        let hub = try HubUnderTest { $0.devices = [Self.alice] }
        _ = try await hub.direct("ab12")
        _ = try await hub.direct("cd34")
        _ = try await hub.direct("cd34")
        let all: InboxAnswers.Messages = try await hub.inspect("/messages")
        #expect(all.sequences == [3, 2, 1])
        #expect(all.messages.map(\.users) == [[], [], ["alice"]])
        #expect(all.messages.map(\.outcome) == ["Success", "Success", "Success"])
        let one: InboxAnswers.Message = try await hub.inspect("/messages/3")
        #expect(one.handle == "CD34")
        #expect(one.request?.path == "/hubsend/messages?api-version=2020-06&direct")
        let its: InboxAnswers.Messages = try await hub.inspect("/messages?registration=nobody-1")
        #expect(its.sequences == [3, 2])
        let device = try await hub.request(.get, "/.hubsend/registrations/nobody-1", token: nil)
        #expect(device.text.contains("\"handle\" : \"CD34\""))
        #expect(device.text.contains("\"count\" : 2"))
        #expect(try await hub.clear() == 3)
        let cleared: InboxAnswers.Devices = try await hub.inspect("/devices")
        #expect(cleared.total == 2)
    }

    /// A registered device also has a number, but is shown with its own registration.
    @Test(
        "Other IDs do not match unregistered devices",
        arguments: ["nobody-0", "nobody-7", "nobody--1", "nobody-", "nobody-01"])
    func otherIDsDoNotMatchUnregisteredDevices(id: String) async throws {
        let hub = try HubUnderTest { $0.devices = [Self.alice] }
        _ = try await hub.direct("cd34")
        let page: InboxAnswers.Messages = try await hub.inspect("/messages?registration=\(id)")
        #expect(page.messages.isEmpty)
    }
}
