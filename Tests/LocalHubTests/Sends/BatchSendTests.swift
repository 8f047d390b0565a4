import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct BatchSendTests {
    private static let devices = ["AA", "BB", "CC"].enumerated().map { number, handle in
        LocalHubDevice(user: "user\(number)", platform: .apns, handle: handle)
    }

    private static func body(
        _ handles: String = #"["AA","bb","AA","DD"]"#, payload: String = HubUnderTest.silent,
        closing: String = "--B--\r\n"
    ) -> String {
        "--B\r\nContent-Type: application/json\r\n"
            + "Content-Disposition: inline; name=notification\r\n\r\n\(payload)\r\n"
            + "--B\r\nContent-Type: application/json; charset=utf-8\r\n"
            + "Content-Disposition: inline; name=devices\r\n\r\n\(handles)\r\n\(closing)"
    }

    @Test(
        "A batch reaches each of its devices once",
        arguments: [
            ("multipart/mixed; boundary=\"B\"", "direct", "--B--\r\n"),
            ("multipart/mixed; boundary = \"B\"", "direct=true", "--B--\r\n"),
            ("multipart/form-data; boundary=B", "direct=", ""),
        ])
    func batchReachesEachOfItsDevicesOnce(
        contentType: String, flag: String, closing: String
    ) async throws {
        let hub = try HubUnderTest { $0.devices = Self.devices }
        let response = try await hub.batch(
            Self.body(closing: closing), contentType: contentType, flag: flag)
        #expect(response.status == .created)
        let id = try #require(response.locationID)
        // The address never contains $batch, because one SDK would read it as the ID.
        #expect(
            response.header("Location")
                == "http://localhost/hubsend/messages/\(id)?api-version=2020-06&\(flag)")
        let first = try #require(await hub.server.received(by: "user0").first)
        #expect(first.text == HubUnderTest.silent)
        #expect(first.headers["content-type"] == "application/json")
        #expect(await hub.server.received(by: "user0").count == 1)
        #expect(await hub.server.received(by: "user1").count == 1)
        #expect(await hub.server.received(by: "user2").isEmpty)
        let details = try await hub.telemetry(id)
        #expect(
            details.text.contains(
                "<ApnsOutcomeCounts><Outcome><Name>Success</Name><Count>3</Count></Outcome>"
                    + "<Outcome><Name>Skipped</Name><Count>1</Count></Outcome>"
                    + "</ApnsOutcomeCounts>"), "\(details.text)")
    }

    /// 1,000 handles of 4 KB each; even 1,000 APNs tokens exceed the 64 KB of other requests.
    private static let longest: String = {
        let handles = (1_000...1_999).map {
            "\"\($0)" + String(repeating: "x", count: 4_092) + "\""
        }
        return body(
            "[" + handles.joined(separator: ",") + "]", payload: #"{"message":{"data":{}}}"#)
    }()

    @Test("A request can contain 1,000 handles of the maximum length")
    func requestCanContain1000HandlesOfTheMaximumLength() async throws {
        try await HubUnderTest.run(setup: .live) { hub in
            let response = try await hub.batch(Self.longest, format: "fcmv1")
            #expect(response.status == .created)
            #expect(hub.server.counts.sends == 1)
        }
    }

    @Test("Large bodies are accepted only for authorized batches")
    func largeBodiesAreAcceptedOnlyForAuthorizedBatches() async throws {
        let hub = try HubUnderTest()
        let uri = "/hubsend/messages/$batch?direct"
        let listen = TestToken.make(.developmentListen)
        let refused = try await hub.request(.post, uri, token: listen, body: Self.longest)
        #expect(refused.status == .forbidden)
        let unknown = try await hub.request(.post, "/other/messages/$batch", body: Self.longest)
        #expect(unknown.status == .notFound)
        let other = try await hub.request(.post, "/hubsend/messages?direct", body: Self.longest)
        #expect(other.status == .contentTooLarge)
        #expect(other.text.contains("larger than 65536 bytes"))
        let more = Self.longest + String(repeating: " ", count: 300_000)
        let large = try await hub.request(.post, uri, body: more)
        #expect(large.status == .contentTooLarge)
        #expect(large.text.contains("larger than 4300000 bytes"))
    }

    @Test(
        "A malformed batch returns 400",
        arguments: [
            (body("[]"), "1 to 1000 handles"), (body("['AA']"), "JSON array of strings"),
            (body("{}"), "JSON array of strings"), (body("[1]"), "JSON array of strings"),
            (body(#"["AA",""]"#), "empty handle"), (body(payload: "[]"), "not a JSON object"),
            (body(payload: ""), "no payload"), (body() + body(), nil),
            (
                body().replacing("name=devices", with: "name=other"),
                "one part named devices"
            ),
            (
                body().replacing("name=devices", with: "name=notification"),
                "one part named notification"
            ),
            ("", "no part"),
        ] as [(String, String?)])
    func malformedBatchReturns400(body: String, text: String?) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.batch(body)
        // Text after the closing boundary is ignored.
        #expect(response.status == (text == nil ? .created : .badRequest))
        #expect(text.map(response.text.contains) ?? true, "\(response.text)")
        #expect(!response.text.contains("AA"))
    }

    @Test("A batch without a platform returns 400", arguments: [nil, "template"])
    func batchWithoutAPlatformReturns400(format: String?) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.batch(Self.body(payload: #"{"a":"b"}"#), format: format)
        #expect(response.status == .badRequest)
    }
}
