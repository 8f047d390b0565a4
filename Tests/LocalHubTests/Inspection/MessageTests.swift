import Foundation
import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct MessageTests {
    private static let alice = [LocalHubDevice(user: "alice", platform: .apns, handle: "AB12")]

    private func request(
        of sequence: Int, _ hub: HubUnderTest
    ) async throws -> InboxAnswers.Message.Request {
        let message: InboxAnswers.Message = try await hub.inspect("/messages/\(sequence)")
        #expect(message.sequence == sequence)
        return try #require(message.request)
    }

    @Test("A message includes the request that sent it")
    func messageIncludesTheRequestThatSentIt() async throws {
        let hub = try HubUnderTest { $0.devices = Self.alice }
        _ = try await hub.send(
            headers: ["X-Own": "value", "Cookie": "secret=1", "Proxy-Authorization": "secret"])
        let response = try await hub.request(.get, "/.hubsend/messages/1", token: nil)
        #expect(!response.text.contains("SharedAccessSignature"))
        #expect(!response.text.contains("secret"))
        let request = try await request(of: 1, hub)
        #expect(request.method == "POST")
        #expect(request.path == "/hubsend/messages?api-version=2020-06")
        #expect(request.time == "2025-12-31T23:00:00Z")
        #expect(request.tags == "username:alice")
        #expect(request.scheduled == false)
        #expect(request.body == HubUnderTest.silent)
        #expect(request.body_base64 == nil)
        #expect(request.headers["x-own"] == "value")
        #expect(request.headers["servicebusnotification-format"] == "apple")
        #expect(request.headers["authorization"] == nil)
    }

    @Test("Every kind of send includes its request")
    func everyKindOfSendIncludesItsRequest() async throws {
        let hub = try HubUnderTest { $0.devices = Self.alice }
        _ = try await hub.direct("AB12")
        _ = try await hub.send(uri: "/hubsend/messages?api-version=2020-06&test")
        _ = try await hub.batch(
            "--B\r\nContent-Disposition: inline; name=notification\r\n\r\n{}\r\n"
                + "--B\r\nContent-Disposition: inline; name=devices\r\n\r\n[\"AB12\"]\r\n--B--")
        _ = try await hub.schedule("2025-12-31T22:59:00Z")
        #expect(
            try await request(of: 1, hub).path == "/hubsend/messages?api-version=2020-06&direct"
        )
        #expect(try await request(of: 2, hub).path == "/hubsend/messages?api-version=2020-06&test")
        #expect(
            try await request(of: 3, hub).path
                == "/hubsend/messages/$batch?api-version=2020-06&direct")
        #expect(
            try await request(of: 4, hub).path
                == "/hubsend/schedulednotifications?api-version=2020-06")
    }

    @Test("A binary request body is shown in Base64") func binaryRequestBodyIsShownInBase64() throws
    {
        var send = try SendRequest(
            ["servicebusnotification-format": "browser"], payload: [0xFF, 0xFE], to: .everyone)
        send.origin = SendOrigin(
            try HubRequest(
                head: HTTPRequest(
                    method: .post, scheme: "http", authority: "localhost", path: "/h/messages"),
                headers: [:], body: [], isPeerLocal: true))
        let report = try #require(
            RequestReport(
                NotificationRecord(
                    id: "1", send: send, enqueued: HubUnderTest.now, sent: HubUnderTest.now,
                    wasScheduled: false)))
        let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        #expect(json.contains(#""body_base64":"\/\/4=""#), "\(json)")
        #expect(!json.contains(#""body":"#))
    }

    @Test("The keys of a browser are hidden") func keysOfABrowserAreHidden() throws {
        let origin = SendOrigin(
            try HubRequest(
                head: HTTPRequest(
                    method: .post, scheme: "http", authority: "localhost", path: "/h/messages"),
                headers: ["auth": "secret", "p256dh": "secret", "hubsend-token": "secret"],
                body: [], isPeerLocal: true))
        #expect(origin.headers.isEmpty)
    }

    @Test("A request that is no longer stored is returned as null")
    func requestThatIsNoLongerStoredIsReturnedAsNull() async throws {
        let hub = try HubUnderTest {
            $0.devices = Self.alice
            $0.limits.notifications = 1
        }
        for _ in 1...2 { _ = try await hub.send() }
        let first = try await hub.request(.get, "/.hubsend/messages/1", token: nil)
        #expect(first.text.contains(#""request" : null"#), "\(first.text)")
        #expect(try await request(of: 2, hub).method == "POST")
    }

    @Test("Long requests are cut, and their full length is given")
    func longRequestsAreCutAndTheirFullLengthIsGiven() throws {
        var headers = Dictionary(
            uniqueKeysWithValues: (0..<50).map { ("x-\($0)", String(repeating: "é", count: 500)) })
        headers["a"] = String(repeating: "y", count: 30_000)
        let request = try HubRequest(
            head: HTTPRequest(
                method: .post, scheme: "http", authority: "localhost",
                path: "/h/messages?" + String(repeating: "z", count: 5_000)),
            headers: headers, body: Array("{}".utf8), isPeerLocal: true)
        let origin = SendOrigin(request)
        #expect(origin.path.count == SendOrigin.longestPath + 1)
        #expect(origin.headers["a"]?.count == SendOrigin.longestValue + 1)
        let bytes = origin.headers.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
        #expect((5_000...SendOrigin.mostHeaderBytes).contains(bytes))
        let plain = try SendRequest(
            ["servicebusnotification-format": "apple"], payload: Array("{}".utf8), to: .everyone)
        var brought = plain
        brought.origin = origin
        let sizes = [plain, brought].map { send in
            NotificationRecord(
                id: "1", send: send, enqueued: HubUnderTest.now, sent: HubUnderTest.now,
                wasScheduled: false
            ).size
        }
        #expect(sizes[1] - sizes[0] == origin.size)
        #expect(origin.size > bytes + origin.path.utf8.count)
    }

    @Test(
        "An invalid message number is refused",
        arguments: ["x", "-1", "1.5", "99999999999999999999"])
    func invalidMessageNumberIsRefused(number: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.get, "/.hubsend/messages/\(number)", token: nil)
        #expect(response.status == .badRequest)
        #expect(
            response.text
                == "{\"error\":\"The last part of the path must be a whole number.\"}\n")
    }

    @Test("An unknown message returns 404", arguments: ["0", "2", "999999999999"])
    func unknownMessageReturns404(number: String) async throws {
        let hub = try HubUnderTest { $0.devices = Self.alice }
        _ = try await hub.send()
        let response = try await hub.request(.get, "/.hubsend/messages/\(number)", token: nil)
        #expect(response.status == .notFound)
        #expect(response.text.contains(#"{"error":"#))
    }
}
