import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

/// What is shown of devices that only direct senders know.
@Suite(.bounded) struct NobodyTests {
    private static let alice = LocalHubDevice(user: "alice", platform: .apns, handle: "AB12")

    @Test func aDeviceOfNobodyIsListedWithoutAUser() async throws {
        let hub = try HubUnderTest { $0.devices = [Self.alice] }
        _ = try await hub.direct("cd34")
        let page: InboxAnswers.Devices = try await hub.look("/devices")
        #expect(page.total == 2)
        #expect(page.devices.map(\.handle) == ["AB12", "CD34"])
        #expect(page.devices.map(\.users) == [["alice"], []])
        #expect(page.devices.map(\.count) == [0, 1])
        let nobody = try #require(page.devices.last)
        #expect(nobody.registration == "nobody-1")
        #expect(nobody.tags.isEmpty)
        #expect(nobody.installation == nil)
        let found: InboxAnswers.Devices = try await hub.look("/devices?search=nobody")
        #expect(found.total == 0)
    }

    @Test func itsMessagesAreFoundAsThoseOfAnyDevice() async throws {
        let hub = try HubUnderTest { $0.devices = [Self.alice] }
        _ = try await hub.direct("ab12")
        _ = try await hub.direct("cd34")
        _ = try await hub.direct("cd34")
        let all: InboxAnswers.Messages = try await hub.look("/messages")
        #expect(all.sequences == [3, 2, 1])
        #expect(all.messages.map(\.users) == [[], [], ["alice"]])
        #expect(all.messages.map(\.outcome) == ["Success", "Success", "Success"])
        let one: InboxAnswers.Message = try await hub.look("/messages/3")
        #expect(one.handle == "CD34")
        #expect(one.request?.path == "/hubsend/messages?api-version=2020-06&direct")
        let its: InboxAnswers.Messages = try await hub.look("/messages?registration=nobody-1")
        #expect(its.sequences == [3, 2])
        let device = try await hub.request(.get, "/.hubsend/registrations/nobody-1", token: nil)
        #expect(device.text.contains("\"handle\" : \"CD34\""))
        #expect(device.text.contains("\"count\" : 2"))
        #expect(try await hub.clear() == 3)
        let cleared: InboxAnswers.Devices = try await hub.look("/devices")
        #expect(cleared.total == 2)
    }

    /// A registered device has a number too, but is shown by its own registration.
    @Test(arguments: ["nobody-0", "nobody-7", "nobody--1", "nobody-", "nobody-01"])
    func noOtherDeviceIsNobodys(id: String) async throws {
        let hub = try HubUnderTest { $0.devices = [Self.alice] }
        _ = try await hub.direct("cd34")
        let page: InboxAnswers.Messages = try await hub.look("/messages?registration=\(id)")
        #expect(page.messages.isEmpty)
    }
}
