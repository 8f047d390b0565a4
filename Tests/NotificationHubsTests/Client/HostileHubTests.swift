import TestSupport
import Testing

@testable import NotificationHubs

/// Tests that an operation ends in time and with a clear error, whatever the hub sends.
@Suite(.bounded) struct HostileHubTests {
    /// Operations that read a response's body, its `Location`, or neither.
    private enum Operation: CaseIterable {
        case details, feedback, testSend, direct, cancel

        var onlyReads: Bool { self == .details || self == .feedback }

        func run(_ client: NotificationHubClient) async throws {
            let tags = TagExpression(try Tag("tester"))
            switch self {
            case .details: _ = try await client.notificationDetails(id: "m")
            case .feedback: _ = try await client.feedbackContainerURL()
            case .testSend: _ = try await client.testSend(.silent(), to: tags)
            case .direct: _ = try await client.send(.silent(), to: DeviceHandle("A"))
            case .cancel: _ = try await client.cancelScheduled(id: "m")
            }
        }
    }

    private func failure(
        of operation: Operation, _ answer: ScriptedAnswer
    ) async throws -> HubError {
        try await ScriptedHub.with(script: { _, _ in answer }) {
            try await failure(of: operation, at: $0)
        }
    }

    private func failure(
        of operation: Operation, at hub: ScriptedHub, requestTimeout: Duration = .seconds(120)
    ) async throws -> HubError {
        try await NotificationHubClient.with(
            hub.connectionString(), requestTimeout: requestTimeout
        ) { client in
            let error = await #expect(throws: HubError.self) {
                try await operation.run(client)
            }
            return try #require(error)
        }
    }

    @Test("No operation follows a redirect", arguments: [301, 302, 307, 308])
    func noOperationFollowsARedirect(status: Int) async throws {
        try await ScriptedHub.with(script: { _, _ in .accepted }) { elsewhere in
            let location = "http://127.0.0.1:\(elsewhere.port)/news/messages/x"
            for operation in Operation.allCases {
                let error = try await failure(
                    of: operation, .status(status, [("Location", location)]))
                #expect(error.disposition == .stop(.notAHub))
            }
            #expect(elsewhere.record.connections == 0)
        }
    }

    @Test("A Location on another host is read but never visited")
    func locationOnAnotherHostIsReadButNeverVisited() async throws {
        try await ScriptedHub.with(script: { _, _ in .accepted }) { elsewhere in
            let answer = ScriptedAnswer.status(
                201, [("Location", "http://127.0.0.1:\(elsewhere.port)/other/place/id-7?x")])
            try await NotificationHubClient.with(answering: answer) { client, _ in
                let receipt = try await client.send(.silent(), to: DeviceHandle("A"))
                #expect(receipt.messageID == "id-7")
            }
            #expect(elsewhere.record.connections == 0)
        }
    }

    @Test("Every operation fails when a hub sends endless headers")
    func everyOperationFailsWhenAHubSendsEndlessHeaders() async throws {
        let header = "X-Bomb: \(String(repeating: "x", count: 60_000))\r\n"
        let answer = ScriptedAnswer.cutOff(
            after: "HTTP/1.1 200 OK\r\n" + String(repeating: header, count: 50) + "\r\n")
        for operation in Operation.allCases {
            let error = try await failure(of: operation, answer)
            #expect(error.status == nil)
            #expect(error.reason == "the response is not HTTP")
        }
    }

    @Test("Reading a huge body stops at the limit")
    func readingAHugeBodyStopsAtTheLimit() async throws {
        let huge = ScriptedAnswer.status(200, body: String(repeating: "x", count: 3_000_000))
        for operation in [Operation.details, .feedback, .testSend] {
            let error = try await failure(of: operation, huge)
            #expect(error.status == 200)
            #expect(error.reason.hasPrefix("the response has more than "))
        }
    }

    @Test(
        "A hub that answers byte by byte causes a timeout",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX-Endless: ", "HTTP/1.1 2",
        ])
    func hubThatAnswersByteByByteCausesATimeout(head: String) async throws {
        for operation in [Operation.details, .feedback, .testSend] {
            let error = try await ShortTimeout.reachingTheHub(from: .milliseconds(200)) { timeout in
                try await ScriptedHub.with(script: { _, _ in .dripping(after: head) }) { hub in
                    let error = try await failure(of: operation, at: hub, requestTimeout: timeout)
                    return hub.record.requests.isEmpty ? nil : error
                }
            }
            #expect(error.disposition == (operation.onlyReads ? .retry(after: nil) : .unknown))
        }
    }

    @Test(
        "A body that is not the expected XML causes an error",
        arguments: [
            "", " ", "\u{0}", "<", "<NotificationDetails><NotificationId>1", "{\"a\":1}",
            "<!DOCTYPE a><NotificationDetails><NotificationId>1</NotificationId></NotificationDetails>",
            LongText(
                "<NotificationDetails><NotificationId>&b;</NotificationId></NotificationDetails>",
                times: 1,
                after:
                    "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;'>]>"
            ),
            LongText(
                "<NotificationId>&x;</NotificationId></NotificationDetails>", times: 1,
                after: "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><NotificationDetails>"
            ),
            "<NotificationDetails/>", "<html><body>Welcome</body></html>",
            LongText("<a>", times: 100_000),
        ])
    func bodyThatIsNotTheExpectedXMLCausesAnError(body: LongText) async throws {
        for operation in [Operation.details, .testSend] {
            let error = try await failure(of: operation, .status(200, body: body.text))
            #expect(error.status == 200)
            #expect(error.disposition == (operation.onlyReads ? .stop(.notAHub) : .unknown))
        }
    }

    @Test("A body that is not UTF-8 causes an error") func bodyThatIsNotUTF8CausesAnError()
        async throws
    {
        let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n".utf8)
        let answer = ScriptedAnswer(bytes: head + [0x3C, 0xFF, 0xFE, 0x3E])

        #expect(try await failure(of: .details, answer).reason == "the response is not UTF-8")
        #expect(try await failure(of: .testSend, answer).disposition == .unknown)
        #expect(try await failure(of: .feedback, answer).reason == "the response is not a URL")
    }

    @Test(
        "The Content-Type of a response is ignored",
        arguments: ["application/json", "text/html; charset=iso-8859-1", "", ";;;"])
    func contentTypeOfAResponseIsIgnored(type: String) async throws {
        let answer = ScriptedAnswer.status(
            200, [("Content-Type", type)],
            body: "<NotificationDetails><NotificationId>1</NotificationId></NotificationDetails>")
        try await NotificationHubClient.with(answering: answer) { client, _ in
            let details = try await client.notificationDetails(id: "1")
            #expect(details?.id == "1")
            #expect(details?.state == .unknown)
        }
    }
}
