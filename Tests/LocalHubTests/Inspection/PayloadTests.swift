import Foundation
import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct PayloadTests {
    private static let path = "/.hubsend/messages/1/payloads/abc"

    private func run(
        _ fetch:
            @escaping @Sendable (String) async throws(PayloadBackend.Failure) ->
            PayloadBackend.Payload,
        _ test: @escaping @Sendable (HubUnderTest) async throws -> Void
    ) async throws {
        let hub = try HubUnderTest {
            $0.devices = [LocalHubDevice(user: "alice", platform: .apns)]
            $0.payloads = PayloadBackend(
                address: "https://push.example", user: "alice", fetch: fetch)
        }
        _ = try await hub.send()
        try await test(hub)
    }

    @Test("A payload is returned as the backend sent it")
    func payloadIsReturnedAsTheBackendSentIt() async throws {
        try await run { id throws(PayloadBackend.Failure) in
            PayloadBackend.Payload(mediaType: "text/plain", content: Array("<\(id)>".utf8))
        } _: { hub in
            let response = try await hub.change(.post, Self.path)
            #expect(response.status == .ok)
            #expect(response.header("Cache-Control") == "no-store")
            let payload = try InboxAnswers.read(response.text, as: InboxAnswers.Payload.self)
            #expect(payload.id == "abc")
            #expect(payload.media_type == "text/plain")
            #expect(payload.bytes == 5)
            #expect(payload.body == "<abc>")
            #expect(!payload.cut)
            let overview: InboxAnswers.Overview = try await hub.inspect("")
            #expect(overview.backend == ["url": "https://push.example", "user": "alice"])
        }
    }

    @Test("A long binary payload is cut and shown in Base64")
    func longBinaryPayloadIsCutAndShownInBase64() async throws {
        try await run { _ throws(PayloadBackend.Failure) in
            PayloadBackend.Payload(
                mediaType: "application/octet-stream",
                content: [UInt8](repeating: 0xFF, count: 70_000))
        } _: { hub in
            let response = try await hub.change(.post, Self.path)
            let payload = try InboxAnswers.read(response.text, as: InboxAnswers.Payload.self)
            #expect(payload.bytes == 70_000)
            #expect(payload.cut)
            #expect(payload.body == nil)
            let shown = payload.body_base64.flatMap { Data(base64Encoded: $0) }
            #expect(shown?.count == PayloadReport.mostBytes)
        }
    }

    @Test(
        "If a payload cannot be fetched, the reason is given",
        arguments: [(true, HTTPResponse.Status.notFound), (false, .badGateway)])
    func ifAPayloadCannotBeFetchedTheReasonIsGiven(isGone: Bool, status: HTTPResponse.Status)
        async throws
    {
        try await run { _ throws(PayloadBackend.Failure) in
            throw PayloadBackend.Failure(isGone: isGone, explanation: "It has \"none\".")
        } _: { hub in
            let response = try await hub.change(.post, Self.path)
            #expect(response.status == status)
            #expect(response.text == "{\"error\":\"It has \\\"none\\\".\"}\n")
        }
    }

    /// Only payloads named in a message are fetched, and only with the token.
    @Test(
        "Only payloads of the message can be fetched",
        arguments: [
            ("POST /.hubsend/messages/1/payloads/other", 404, true),
            ("POST /.hubsend/messages/2/payloads/abc", 404, true),
            ("POST /.hubsend/messages/x/payloads/abc", 400, true),
            ("GET /.hubsend/messages/1/payloads/abc", 405, false),
            ("POST /.hubsend/messages/1/payloads/abc", 403, false),
        ])
    func onlyPayloadsOfTheMessageCanBeFetched(line: String, status: Int, hasToken: Bool)
        async throws
    {
        try await run { _ throws(PayloadBackend.Failure) in
            Issue.record("The backend was asked.")
            throw PayloadBackend.Failure(explanation: "")
        } _: { hub in
            let parts = line.split(separator: " ").map(String.init)
            let method = try #require(HTTPRequest.Method(rawValue: parts[0]))
            let response =
                hasToken
                ? try await hub.change(method, parts[1])
                : try await hub.request(method, parts[1], token: nil)
            #expect(response.status.code == status)
        }
    }

    @Test("Without a backend, the response says how to configure one")
    func withoutABackendTheResponseSaysHowToConfigureOne() async throws {
        let hub = try HubUnderTest { $0.devices = [LocalHubDevice(user: "alice", platform: .apns)] }
        _ = try await hub.send()
        let response = try await hub.change(.post, Self.path)
        #expect(response.status == .notFound)
        #expect(response.text.contains("--backend URL --user NAME"))
    }
}
