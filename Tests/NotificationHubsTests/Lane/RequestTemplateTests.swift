import CampaignCore
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct RequestTemplateTests {
    private let encoder: SendEncoder
    private let token: SharedAccessSignature

    init() throws {
        let connectionString = try ConnectionString(parsing: Secret.connectionString)
        let name = try HubName("news")
        encoder = SendEncoder(
            endpoint: connectionString.endpoint, hubName: name, userAgent: "hubsend/0.1")
        token = TokenProvider(connectionString: connectionString, hubName: name, now: { Date() })
            .token()
    }

    /// The request that ``SendEncoder`` creates, written as HTTP.
    private func expected(_ push: Push, of page: PushPage, _ trackingID: String) throws -> String {
        let request = encoder.request(
            shared: encoder.headers(for: page), tags: try push.tags.get(), trackingID: trackingID,
            authorization: token.authorization, body: ByteBuffer(bytes: push.body))
        let url = try #require(URL(string: encoder.address))
        let query = try #require(url.query)
        return "POST \(url.path(percentEncoded: true))?\(query) HTTP/1.1\r\n"
            + request.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
            + "Content-Length: \(push.body.count)\r\n\r\n" + String(buffer: request.body)
    }

    @Test("A request from the template equals the encoder's byte for byte", arguments: [1, 2, 20])
    func requestFromTheTemplateEqualsTheEncodersByteForByte(recipients: Int) throws {
        var page = try PushPage.example(1)
        page.headers.append(PushHeader("X-Text", "\tfür alle\t"))
        page.pushes[0].usernames = try (0..<recipients).map { try Username("u#\($0)@x.y:z-_") }
        let template = try #require(
            RequestTemplate(target: encoder.target, headers: encoder.headers(for: page)))
        var random = SystemRandomNumberGenerator()
        var trackingIDs = TrackingIDGenerator(startingFrom: &random)
        let trackingID = trackingIDs.next()

        var buffer = ByteBuffer()
        template.write(
            page.pushes[0], trackingID, authorization: RequestTemplate.authorization(token),
            to: &buffer)

        #expect(
            String(buffer: buffer)
                == (try expected(page.pushes[0], of: page, trackingID.description)))
    }

    @Test(
        "A header that would break the request is refused",
        arguments: [
            ("A", "x\r\ny"), ("A", "x\ny"), ("A", "x\u{0}"), ("A", "x\u{7F}"), ("A b", "x"),
            ("", "x"),
            ("A:", "x"), ("A\r\nB", "x"), ("ä", "x"), ("Content-Length", "0"),
            ("transfer-encoding", "chunked"),
        ])
    func headerThatWouldBreakTheRequestIsRefused(name: String, value: String) {
        #expect(RequestTemplate(target: "/", headers: [name: value]) == nil)
    }

    @Test("Only recipients that form plain tags use the template")
    func onlyRecipientsThatFormPlainTagsUseTheTemplate() throws {
        var push = try PushPage.example(1).pushes[0]
        #expect(push.tagError == nil)
        push.usernames = [Username(checked: String(repeating: "x", count: 111))]
        #expect(push.tagError == nil)
        push.usernames = [Username(checked: String(repeating: "x", count: 112))]
        #expect(push.tagError == .tagTooLong)
        push.usernames = [Username(checked: "a\r\nb")]
        #expect(push.tagError == .forbiddenCharacter)
        push.usernames = []
        #expect(push.tagError == .noTags)
        push.usernames = Array(repeating: Username(checked: "x"), count: 21)
        #expect(push.tagError == .tooManyTags)
    }
}
