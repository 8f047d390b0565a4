import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct DeviceListTests {
    private static let five = ["alice", "bob", "Alicia", "carol", "malice"].map {
        LocalHubDevice(user: $0, platform: .apns)
    }

    @Test("Devices are listed in pages") func devicesAreListedInPages() async throws {
        let hub = try HubUnderTest { $0.devices = Self.five }
        _ = try await hub.send(tags: "username:bob")
        var page: InboxAnswers.Devices = try await hub.inspect("/devices?limit=2")
        #expect(page.total == 5)
        #expect(page.devices.map(\.users) == [["alice"], ["bob"]])
        #expect(page.devices.map(\.count) == [0, 1])
        #expect(page.devices.map(\.newest) == [nil, 1])
        #expect(page.devices.first?.platform == "apns")
        #expect(page.devices.first?.installation != nil)
        #expect(page.devices.first?.tags.last == "username:alice")
        page = try await hub.inspect("/devices?limit=2&from=\(try #require(page.next))")
        #expect(page.devices.map(\.users) == [["Alicia"], ["carol"]])
        page = try await hub.inspect("/devices?limit=2&from=\(try #require(page.next))")
        #expect(page.devices.map(\.users) == [["malice"]])
        #expect(page.next == nil)
        #expect(page.total == 5)
    }

    @Test("A device search counts all matches") func deviceSearchCountsAllMatches() async throws {
        let hub = try HubUnderTest { $0.devices = Self.five }
        var page: InboxAnswers.Devices = try await hub.inspect("/devices?search=ALI&limit=2")
        #expect(page.total == 3)
        #expect(page.devices.map(\.users) == [["alice"], ["Alicia"]])
        page = try await hub.inspect("/devices?search=ALI&limit=2&from=\(try #require(page.next))")
        #expect(page.total == 3)
        #expect(page.devices.map(\.users) == [["malice"]])
        #expect(page.next == nil)
        page = try await hub.inspect("/devices?search=nobody")
        #expect(page.total == 0)
        #expect(page.devices.isEmpty)
    }

    @Test("A device with several registrations is listed only once")
    func deviceWithSeveralRegistrationsIsListedOnlyOnce() async throws {
        let hub = try HubUnderTest()
        for (id, user) in [("1", "alice"), ("2", "bob")] {
            _ = try await hub.install(id, tags: ["username:\(user)"], userID: "zoe")
        }
        for query in ["", "?search=bob"] {
            let page: InboxAnswers.Devices = try await hub.inspect("/devices" + query)
            #expect(page.total == 1)
            #expect(page.devices.map(\.users) == [["zoe", "alice", "bob"]])
        }
    }

    @Test("Removing a device does not shift the next page")
    func removingADeviceDoesNotShiftTheNextPage() async throws {
        let hub = try HubUnderTest { $0.devices = Self.five }
        let page: InboxAnswers.Devices = try await hub.inspect("/devices?limit=3")
        let first = try #require(page.devices.first?.installation)
        _ = try await hub.request(.delete, "/hubsend/installations/\(first)?api-version=2020-06")
        let rest: InboxAnswers.Devices = try await hub.inspect(
            "/devices?limit=3&from=\(try #require(page.next))")
        #expect(rest.devices.map(\.users) == [["carol"], ["malice"]])
        #expect(rest.total == 4)
    }

    @Test("A page beyond the end is empty") func pageBeyondTheEndIsEmpty() async throws {
        let hub = try HubUnderTest { $0.devices = Self.five }
        let page: InboxAnswers.Devices = try await hub.inspect("/devices?from=999999")
        #expect(page.devices.isEmpty)
        #expect(page.next == nil)
        #expect(page.total == 5)
    }
}
