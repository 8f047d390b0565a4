import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct CallTests {
    private let read = HubCall(
        operation: "reading", method: .GET, path: ["registrations", "1-2-3"], accepts: 200...200,
        isRepeatable: true, bodyLimit: 1_000)
    private let change = HubCall(
        operation: "change", method: .POST, path: ["registrations", "1-2-3"], accepts: 200...200,
        isRepeatable: false, bodyLimit: 1_000)

    private func failure(
        of call: HubCall, _ answer: ScriptedAnswer, requestTimeout: Duration = .seconds(120)
    ) async throws -> HubError {
        try await NotificationHubClient.with(
            answering: answer, requestTimeout: requestTimeout
        ) { client, _ in
            let error = await #expect(throws: HubError.self) {
                try await client.answer(to: call)
            }
            return try #require(error)
        }
    }

    @Test("A call is a single request with the common headers")
    func callIsASingleRequestWithTheCommonHeaders() async throws {
        let call = HubCall(
            operation: "writing", method: .PUT,
            path: ["tags", "$UserId:{a/b c}", "registrations"],
            query: [("$top", "5"), ("$filter", "a eq 'b&c'"), ("direct", nil)],
            headers: [("If-Match", "*")], body: ByteBuffer(string: "hello"), accepts: 200...200,
            isRepeatable: true, bodyLimit: 10)
        try await NotificationHubClient.with(
            answering: .status(200, body: "answer")
        ) { client, hub in
            let answer = try await client.answer(to: call)
            let request = try #require(hub.record.requests.first)
            #expect(request.method == "PUT")
            #expect(
                request.uri
                    == "/news/tags/$UserId%3A%7Ba%2Fb%20c%7D/registrations?api-version=2020-06&$top=5&$filter=a%20eq%20%27b%26c%27&direct"
            )
            #expect(request["Host"] == "127.0.0.1:\(hub.port)")
            #expect(request["User-Agent"] == HubClientSettings.defaultUserAgent)
            #expect(request["If-Match"] == "*")
            #expect(request["Authorization"]?.hasPrefix("SharedAccessSignature sr=") == true)
            #expect(request.body == Array("hello".utf8))
            #expect(answer.body == Array("answer".utf8))
            #expect(answer.supportID == request["TrackingId"])
        }
    }

    @Test("An ID that would change the path is not sent", arguments: ["", ".", ".."])
    func idThatWouldChangeThePathIsNotSent(id: String) async throws {
        try await NotificationHubClient.with { client, hub in
            let error = await #expect(throws: HubError.self) {
                try await client.answer(
                    to: HubCall(
                        operation: "deletion", method: .DELETE, path: ["registrations", id],
                        accepts: 200...200, isRepeatable: true))
            }

            #expect(error?.disposition == .rejected)
            #expect(hub.record.requests.isEmpty)
        }
    }

    @Test(
        "The meaning of a status depends on the operation",
        arguments: [
            (["registrations", "1"], 404, Disposition.rejected, Disposition.rejected),
            (["registrations"], 404, .stop(.hubNotFound), .stop(.hubNotFound)),
            (["messages", "$batch"], 404, .stop(.hubNotFound), .stop(.hubNotFound)),
            (["x"], 409, .rejected, .rejected), (["x"], 410, .rejected, .rejected),
            (["x"], 412, .rejected, .rejected), (["x"], 413, .rejected, .rejected),
            (["x"], 503, .retry(after: nil), .unknown), (["x"], 408, .retry(after: nil), .unknown),
            (["x"], 201, .rejected, .unknown), (["x"], 302, .stop(.notAHub), .stop(.notAHub)),
            (["x"], 401, .stop(.credentials), .stop(.credentials)),
            (["x"], 429, .retry(after: nil), .retry(after: nil)),
        ])
    func meaningOfAStatusDependsOnTheOperation(
        path: [String], status: Int, repeatable: Disposition, change: Disposition
    ) async throws {
        for (isRepeatable, disposition) in [(true, repeatable), (false, change)] {
            let call = HubCall(
                operation: "test", method: .PUT, path: path, accepts: 200...200,
                isRepeatable: isRepeatable)
            let error = try await failure(of: call, .status(status))

            #expect(error.disposition == disposition)
            #expect(error.isNotFound == (status == 404 && disposition == .rejected))
            #expect(error.description.hasPrefix("The test failed: HTTP \(status). "))
        }
    }

    @Test("A missing hub is distinguished from a missing item")
    func missingHubIsDistinguishedFromAMissingItem() async throws {
        let error = try await failure(
            of: read,
            .status(
                404,
                body: "<Error><Code>404</Code><Detail>No service is hosted at the specified "
                    + "address..TrackingId:x</Detail></Error>"))

        #expect(error.disposition == .stop(.hubNotFound))
        #expect(!error.isNotFound)
    }

    @Test("A response over its limit causes an error and is not truncated")
    func responseOverItsLimitCausesAnErrorAndIsNotTruncated() async throws {
        let error = try await failure(
            of: read, .status(200, body: String(repeating: "x", count: 1_001)))
        let huge = try await failure(
            of: read, .status(200, body: String(repeating: "x", count: 5_000_000)))

        for error in [error, huge] {
            #expect(error.disposition == .stop(.notAHub))
            #expect(error.reason == "the response has more than 1000 bytes")
        }
    }

    @Test("A response exactly at its limit is read completely")
    func responseExactlyAtItsLimitIsReadCompletely() async throws {
        let body = String(repeating: "x", count: 1_000)
        try await NotificationHubClient.with(answering: .status(200, body: body)) { client, _ in
            let answer = try await client.answer(to: read)
            #expect(answer.body.count == 1_000)
        }
    }

    @Test("A response that is cut off in its body causes an error")
    func responseThatIsCutOffInItsBodyCausesAnError() async throws {
        let cut = ScriptedAnswer.cutOff(after: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")

        #expect(try await failure(of: read, cut).disposition == .retry(after: nil))
        #expect(try await failure(of: change, cut).disposition == .unknown)
    }

    @Test("A call that only reads can be retried after a lost response")
    func callThatOnlyReadsCanBeRetriedAfterALostResponse() async throws {

        #expect(try await failure(of: read, .close).disposition == .retry(after: nil))
        #expect(try await failure(of: change, .close).disposition == .unknown)
    }

    @Test("The timeout covers both requests of a call")
    func timeoutCoversBothRequestsOfACall() async throws {
        // With its own timeout, the second response would arrive in time.
        let reason = try await ShortTimeout.reachingTheHub(from: .milliseconds(500)) { timeout in
            try await NotificationHubClient.with(
                script: { number, _ in
                    ScriptedAnswer.status(number == 0 ? 401 : 200).delayed(.init(timeout * 3 / 5))
                }, requestTimeout: timeout
            ) { client, hub in
                let error = await #expect(throws: HubError.self) {
                    try await client.answer(to: read)
                }
                return hub.record.requests.count < 2 ? nil : error?.reason
            }
        }
        #expect(reason == "no response in time")
    }
}
