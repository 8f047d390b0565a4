import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import AppBackend

/// Mixes requests that are answered directly with requests that are passed on.
@Suite(.bounded) struct DirectAnswersTests {
    private static func statuses(_ answer: String) -> [String] {
        answer.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }
    }

    @Test("Requests on a connection are answered in order")
    func requestsOnAConnectionAreAnsweredInOrder() async throws {
        try await BackendUnderTest.listen { backend, server in
            let id = try await backend.notify(
                [.alice], content: .text("hello", mediaType: "text/plain"))
            let fields = "Host: a\r\nAuthorization: Test alice\r\n"
            let requests = [
                "GET /health HTTP/1.1\r\nHost: a\r\n\r\n",
                // This read must be durable before its response is sent.
                "PUT /api/notifications/\(id)/read HTTP/1.1\r\n\(fields)\r\n",
                RawConnection.get("/api/notifications/\(id)", as: .alice),
                "PUT /api/register/none HTTP/1.1\r\n\(fields)Content-Length: 2\r\n\r\n{}",
                "GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            ]
            let answer = try await RawConnection.exchange(port: server.port, requests.joined())
            #expect(Self.statuses(answer) == ["200", "204", "200", "400", "404", "200"])
            #expect(answer.contains(#""Payload":"hello""#))
        }
    }

    @Test("Thousands of requests in a row are all answered")
    func thousandsOfRequestsInARowAreAllAnswered() async throws {
        let count = 3_000
        try await BackendUnderTest.listen { _, server in
            let request = "GET /health HTTP/1.1\r\nHost: a\r\n"
            let answer = try await RawConnection.exchange(
                port: server.port,
                String(repeating: request + "\r\n", count: count)
                    + request + "Connection: close\r\n\r\n")
            #expect(Self.statuses(answer) == Array(repeating: "200", count: count + 1))
        }
    }

    @Test("A malformed request is refused after the earlier responses are sent")
    func malformedRequestIsRefusedAfterTheEarlierResponsesAreSent() async throws {
        try await BackendUnderTest.listen { backend, server in
            let id = try await backend.notify(
                [.alice], content: .text("hello", mediaType: "text/plain"))
            let answer = try await RawConnection.exchange(
                port: server.port,
                "PUT /api/notifications/\(id)/read HTTP/1.1\r\nHost: a\r\n"
                    + "Authorization: Test alice\r\n\r\nno request\r\n\r\n")
            #expect(Self.statuses(answer) == ["204", "400"])
        }
    }

    @Test(
        "The Date field has the format of RFC 9110",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (1_796_083_200, "Tue, 01 Dec 2026 00:00:00 GMT"),
        ])
    func dateFieldHasTheFormatOfRFC9110(second: Int, text: String) {
        #expect(DateField.text(second) == text)
    }
}
