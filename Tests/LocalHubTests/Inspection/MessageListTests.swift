import Foundation
import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct MessageListTests {
    private static let two = [
        LocalHubDevice(user: "alice", platform: .apns, handle: "AB12"),
        LocalHubDevice(user: "Bob.Smith", platform: .apns, handle: "CD34"),
    ]

    private func sequences(_ hub: HubUnderTest, _ query: String) async throws -> [Int] {
        try await hub.inspect("/messages" + query, as: InboxAnswers.Messages.self).sequences
    }

    @Test("A message is listed with its device, user and appearance")
    func messageIsListedWithItsDeviceUserAndAppearance() async throws {
        let hub = try HubUnderTest { $0.devices = Self.two }
        _ = try await hub.send(headers: ["apns-priority": "5"])
        let page: InboxAnswers.Messages = try await hub.inspect("/messages")
        let message = try #require(page.messages.first)
        #expect(page.newest == 1)
        #expect(!page.older)
        #expect(message.sequence == 1)
        #expect(message.time == "2025-12-31T23:00:00Z")
        #expect(message.outcome == "Success")
        #expect(message.reason == nil)
        #expect(message.headers["apns-priority"] == "5")
        #expect(message.body == HubUnderTest.silent)
        #expect(message.platform == "apns")
        #expect(message.handle == "AB12")
        #expect(message.users == ["alice"])
        #expect(message.tags.last == "username:alice")
        #expect(message.appearance.kind == "silent")
        #expect(message.appearance.ids.map(\.name) == ["secureId"])
        #expect(message.appearance.ids.map(\.value) == ["abc"])
    }

    @Test("Messages are paged from newest to oldest")
    func messagesArePagedFromNewestToOldest() async throws {
        let hub = try HubUnderTest { $0.devices = Self.two }
        for number in 1...7 {
            _ = try await hub.send(
                tags: "username:" + (number.isMultiple(of: 2) ? "alice" : "Bob.Smith"))
        }
        var page: InboxAnswers.Messages = try await hub.inspect("/messages?limit=3")
        #expect(page.sequences == [7, 6, 5])
        #expect(page.older)
        page = try await hub.inspect("/messages?limit=3&before=5")
        #expect(page.sequences == [4, 3, 2])
        #expect(page.older)
        page = try await hub.inspect("/messages?limit=3&before=2")
        #expect(page.sequences == [1])
        #expect(!page.older)
        page = try await hub.inspect("/messages?limit=2&before=6&user=Bob.Smith")
        #expect(page.sequences == [5, 3])
        #expect(page.older)
        #expect(page.newest == 7)
        page = try await hub.inspect("/messages?limit=2&before=3&user=Bob.Smith")
        #expect(page.sequences == [1])
        #expect(!page.older)
    }

    @Test("Paging with `after` skips no message") func pagingWithAfterSkipsNoMessage() async throws
    {
        let hub = try HubUnderTest { $0.devices = Self.two }
        for number in 1...9 {
            _ = try await hub.send(
                tags: "username:" + (number.isMultiple(of: 3) ? "alice" : "Bob.Smith"))
        }
        #expect(try await sequences(hub, "?after=2&limit=3") == [5, 4, 3])
        #expect(try await sequences(hub, "?after=2&limit=3&user=alice") == [9, 6, 3])
        #expect(try await sequences(hub, "?after=2&limit=2&user=alice") == [6, 3])
        #expect(try await sequences(hub, "?after=3&before=7&user=alice") == [6])
        #expect(try await sequences(hub, "?after=9").isEmpty)
        #expect(try await sequences(hub, "?after=now").isEmpty)
        // A number that the hub has not reached yet is from before a restart.
        #expect(try await sequences(hub, "?after=99&limit=2") == [2, 1])
        let none: InboxAnswers.Messages = try await hub.inspect("/messages?after=0&limit=1")
        #expect(!none.older)
        let some: InboxAnswers.Messages = try await hub.inspect("/messages?after=5&limit=1")
        #expect(some.older)
    }

    @Test(
        "Messages are filtered by user and outcome",
        arguments: [
            ("?user=alice", [1, 3, 4]), ("?user=ALICE", []), ("?user=ali", []),
            ("?search=LI", [1, 3, 4]), ("?search=smith", [2]), ("?search=ob.S", [2]),
            ("?search=zz", []), ("?search=username", []), ("?outcome=refused", [4]),
            ("?outcome=arrived", [1, 2, 3]), ("?user=alice&outcome=arrived", [1, 3]),
            ("?user=alice&search=bob", []), ("?search=&outcome=", [1, 2, 3, 4]),
            ("?search=ali&outcome=arrived&limit=1", [3]), ("?what=ever", [1, 2, 3, 4]),
            ("?find=smith", [2]), ("?find=SECUREID", [1, 2, 3, 4]), ("?find=zz", []),
            ("?find=", [1, 2, 3, 4]),
            ("?find=ABC&user=alice&outcome=arrived", [1, 3]), ("?find=ali&user=alice", [1, 3, 4]),
            ("?find=bob&user=alice", []), ("?find=abc&limit=2", [3, 4]),
        ])
    func messagesAreFilteredByUserAndOutcome(query: String, expected: [Int]) async throws {
        let hub = try HubUnderTest { $0.devices = Self.two }
        _ = try await hub.send()
        _ = try await hub.send(tags: "username:Bob.Smith")
        _ = try await hub.send()
        _ = try await hub.send(String(repeating: " ", count: 5_000) + HubUnderTest.silent)
        #expect(try await sequences(hub, query) == expected.reversed())
    }

    @Test("Messages are filtered by push service")
    func messagesAreFilteredByPushService() async throws {
        let hub = try HubUnderTest {
            $0.devices = [
                LocalHubDevice(user: "alice", platform: .adm),
                LocalHubDevice(user: "alice", platform: .browser),
            ]
        }
        _ = try await hub.send(#"{"data":{"message":"Hi"}}"#, format: "adm")
        _ = try await hub.send(#"{"message":"Hi"}"#, format: "browser")
        #expect(try await sequences(hub, "?platform=adm") == [1])
        #expect(try await sequences(hub, "?platform=browser&user=alice") == [2])
        #expect(try await sequences(hub, "?platform=apns").isEmpty)
        #expect(try await sequences(hub, "?platform=") == [2, 1])
        let wrong = try await hub.request(.get, "/.hubsend/messages?platform=phone", token: nil)
        #expect(wrong.status == .badRequest)
        #expect(wrong.text.contains("platform must be one of apns, fcm"))
        let next: InboxAnswers.Message = try await hub.inspect(
            "/messages/next?platform=browser&after=0&timeout=1s")
        #expect(next.platform == "browser" && next.appearance.text == "Hi")
    }

    @Test("A device shared by several users is found for each of them")
    func deviceSharedBySeveralUsersIsFoundForEachOfThem() async throws {
        let hub = try HubUnderTest()
        _ = try await hub.install("1", tags: ["username:alice", "red"], userID: "Zoe.K")
        _ = try await hub.send(tags: "red")
        for query in ["?user=alice", "?user=Zoe.K", "?search=oe.k", "?search=lic"] {
            let page: InboxAnswers.Messages = try await hub.inspect("/messages" + query)
            #expect(page.sequences == [1], "\(query)")
            #expect(page.messages.first?.users == ["Zoe.K", "alice"])
            #expect(page.messages.first?.installation == "1")
        }
    }

    @Test("A refused message is listed with the reason") func refusedMessageIsListedWithTheReason()
        async throws
    {
        let hub = try HubUnderTest { $0.devices = Self.two }
        _ = try await hub.send(String(repeating: " ", count: 5_000) + "{}")
        let page: InboxAnswers.Messages = try await hub.inspect("/messages")
        #expect(page.messages.first?.outcome == "InvalidNotificationSize")
        #expect(page.messages.first?.reason?.isEmpty == false)
    }

    @Test(
        "If a value is refused, the valid values are listed",
        arguments: [
            "limit=0", "limit=101", "limit=", "limit=x", "limit=-1", "limit=5.0", "before=x",
            "before=-1", "after=", "after=99999999999999999999", "after=later", "outcome=lost",
            "outcome=Arrived", "user=", "registration=",
            "search=\(String(repeating: "x", count: 121))",
            "find=\(String(repeating: "x", count: 121))",
        ])
    func ifAValueIsRefusedTheValidValuesAreListed(query: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.get, "/.hubsend/messages?\(query)", token: nil)
        #expect(response.status == .badRequest)
        let failure = try InboxAnswers.read(response.text, as: InboxAnswers.Failure.self)
        let name = try #require(query.split(separator: "=").first)
        #expect(failure.error.hasPrefix(name), "\(failure.error)")
    }

    @Test(
        "The value `now` is suggested only for `after`",
        arguments: [("after", true), ("before", false)])
    func valueNowIsSuggestedOnlyForAfter(name: String, isOffered: Bool) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.get, "/.hubsend/messages?\(name)=x", token: nil)
        #expect(response.text.contains("must be a whole number"))
        #expect(response.text.contains("now") == isOffered)
    }

    @Test("Messages are found by any registration of the device")
    func messagesAreFoundByAnyRegistrationOfTheDevice() async throws {
        let hub = try HubUnderTest { $0.devices = Self.two }
        _ = try await hub.install("2", tags: ["username:eve"])
        for user in ["alice", "Bob.Smith", "alice"] {
            _ = try await hub.send(tags: "username:" + user)
        }
        var ids: Set<String> = []
        for user in ["alice", "eve"] {
            let page: InboxAnswers.Messages = try await hub.inspect("/messages?user=\(user)")
            ids.formUnion(page.messages.map(\.registration))
        }
        #expect(ids.count == 2)
        for id in ids {
            #expect(try await sequences(hub, "?registration=\(id)") == [3, 1])
            #expect(try await sequences(hub, "?registration=\(id)&limit=1") == [3])
            #expect(try await sequences(hub, "?registration=\(id)&after=0&limit=1") == [1])
            #expect(try await sequences(hub, "?registration=\(id)&user=eve") == [3, 1])
            #expect(try await sequences(hub, "?registration=\(id)&user=Bob.Smith").isEmpty)
            #expect(try await sequences(hub, "?registration=\(id)&search=smith").isEmpty)
        }
        #expect(try await sequences(hub, "?registration=none").isEmpty)
    }

    @Test("Each hub has its own messages") func eachHubHasItsOwnMessages() async throws {
        let hub = try HubUnderTest { $0.devices = Self.two }
        _ = try await hub.request(.put, "/second?api-version=2020-06")
        _ = try await hub.send()
        #expect(try await sequences(hub, "?hub=SECOND").isEmpty)
        #expect(try await sequences(hub, "?hub=HubSend") == [1])
        let third = try await hub.request(.get, "/.hubsend/messages?hub=third", token: nil)
        #expect(third.status == .notFound)
    }

    @Test("Dropped messages are not listed") func droppedMessagesAreNotListed() async throws {
        let hub = try HubUnderTest {
            $0.devices = Self.two
            $0.limits.pushesPerDevice = 2
            $0.limits.pushesInAll = 4
        }
        for _ in 1...3 { _ = try await hub.send() }
        _ = try await hub.send(tags: "username:Bob.Smith")
        // The first was dropped because alice's device keeps only two.
        #expect(try await sequences(hub, "") == [4, 3, 2])
        _ = try await hub.send(tags: "username:Bob.Smith")
        _ = try await hub.send(tags: "username:Bob.Smith")
        // The fourth was dropped for the same reason, and the second because the hub keeps only
        // four.
        #expect(try await sequences(hub, "") == [6, 5, 3])
        #expect(try await sequences(hub, "?after=0") == [6, 5, 3])
        #expect(try await sequences(hub, "?user=alice") == [3])
        let gone = try await hub.request(.get, "/.hubsend/messages/2", token: nil)
        #expect(gone.status == .notFound)
    }

    @Test("A new device does not inherit messages of a deleted device")
    func newDeviceDoesNotInheritMessagesOfADeletedDevice() async throws {
        let hub = try HubUnderTest()
        _ = try await hub.install("1", tags: ["username:alice"])
        _ = try await hub.send()
        _ = try await hub.request(.delete, "/hubsend/installations/1?api-version=2020-06")
        #expect(try await sequences(hub, "").isEmpty)
        let body = #"{"installationId":"2","platform":"apns","pushChannel":"EF","userId":"bob"}"#
        _ = try await hub.request(
            .put, "/hubsend/installations/2?api-version=2020-06",
            headers: ["Content-Type": "application/json"], body: body)
        #expect(try await sequences(hub, "").isEmpty)
        _ = try await hub.send(tags: "$UserId:{bob}")
        #expect(try await sequences(hub, "") == [2])
        #expect(try await sequences(hub, "?user=alice").isEmpty)
        let page: InboxAnswers.Messages = try await hub.inspect("/messages?user=bob")
        #expect(page.messages.map(\.users) == [["bob"]])
    }
}
