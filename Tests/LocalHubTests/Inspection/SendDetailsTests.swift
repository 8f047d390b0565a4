import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct SendDetailsTests {
    private static let five = (1...5).map {
        LocalHubDevice(user: "user\($0)", platform: .apns, handle: "A\($0)")
    }

    @Test("A send is shown with its request and the outcome for each device")
    func sendIsShownWithItsRequestAndTheOutcomeForEachDevice() async throws {
        let hub = try HubUnderTest { $0.devices = Array(Self.five.prefix(2)) }
        _ = try await hub.send(tags: "username:user2")
        let id = try #require(try await hub.send(tags: nil, headers: ["X-Own": "value"]).locationID)
        let send: InboxAnswers.SendDetails = try await hub.inspect("/sends/\(id)")
        #expect(send.notification == id)
        #expect(send.arrived == 2)
        #expect(send.devices.map(\.sequence) == [2, 3])
        #expect(send.devices.map(\.outcome) == ["Success", "Success"])
        #expect(send.devices.map(\.users) == [["user1"], ["user2"]])
        #expect(send.devices.map(\.handle) == ["A1", "A2"])
        #expect(send.total == 2)
        #expect(send.next == nil)
        let request = try #require(send.request)
        #expect(request.method == "POST")
        #expect(request.path == "/hubsend/messages?api-version=2020-06")
        #expect(request.headers["x-own"] == "value")
        #expect(request.headers["authorization"] == nil)
        #expect(request.body == HubUnderTest.silent)
        let text = try await hub.request(.get, "/.hubsend/sends/\(id)", token: nil).text
        #expect(!text.contains("SharedAccessSignature"))
    }

    @Test("A send lists its refusals, and lists no devices if nobody matched")
    func sendListsItsRefusalsAndListsNoDevicesIfNobodyMatched() async throws {
        let hub = try HubUnderTest { $0.devices = Array(Self.five.prefix(1)) }
        let large = String(repeating: " ", count: 5_000) + "{}"
        let refused = try #require(try await hub.send(large, tags: nil).locationID)
        let send: InboxAnswers.SendDetails = try await hub.inspect("/sends/\(refused)")
        #expect(send.devices.map(\.outcome) == ["InvalidNotificationSize"])
        #expect(send.devices.first?.reason?.isEmpty == false)
        let none = try #require(try await hub.send(tags: "username:nobody").locationID)
        let nobody: InboxAnswers.SendDetails = try await hub.inspect("/sends/\(none)")
        #expect(nobody.devices.isEmpty)
        #expect(nobody.total == 0)
    }

    @Test("The devices of a send are paged, without cleared messages")
    func devicesOfASendArePagedWithoutClearedMessages() async throws {
        let hub = try HubUnderTest { $0.devices = Self.five }
        let id = try #require(try await hub.send(tags: nil).locationID)
        var page: InboxAnswers.SendDetails = try await hub.inspect("/sends/\(id)?limit=2")
        #expect(page.devices.map(\.sequence) == [1, 2])
        #expect(page.next == 2)
        page = try await hub.inspect("/sends/\(id)?limit=2&from=4")
        #expect(page.devices.map(\.sequence) == [5])
        #expect(page.next == nil)
        _ = try await hub.clear("?user=user2")
        page = try await hub.inspect("/sends/\(id)?limit=2")
        #expect(page.devices.map(\.sequence) == [1, 3])
        #expect(page.total == 5)
        #expect(page.next == 3)
        page = try await hub.inspect("/sends/\(id)?from=999999999999999999")
        #expect(page.devices.isEmpty)
        #expect(page.next == nil)
    }

    @Test("An unknown send returns 404") func unknownSendReturns404() async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.get, "/.hubsend/sends/x", token: nil)
        #expect(response.status == .notFound)
        #expect(response.text.contains("There is no send with this id"))
    }
}
