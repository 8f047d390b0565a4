import CampaignCore
import Testing

/// A behaviour of a hub, and the expected results for every route.
struct LaneCase: Sendable, CustomTestStringConvertible {
    let name: String
    let script: ScriptedHub.Script
    let dispositions: [PushDisposition]
    let requests: [Int]
    var answersEarly = false
    /// Whether the response never ends.
    var isEndless = false
    var bodySize: Int?

    var testDescription: String { name }

    /// The same behaviour for each push of a page; only one push if it stops everything.
    init(
        _ name: String, _ disposition: PushDisposition, requests: Int = 1,
        _ answer: ScriptedAnswer
    ) {
        self.name = name
        script = { _, _ in answer }
        var isStop = false
        if case .stop = disposition { isStop = true }
        dispositions = isStop ? [disposition, .notSent] : [disposition, disposition]
        self.requests = isStop ? [requests, 0] : [requests, requests]
    }

    /// One push, with a response for each of its requests.
    init(
        _ name: String, _ disposition: PushDisposition, requests: Int,
        inTurn answers: [ScriptedAnswer]
    ) {
        self.name = name
        script = { number, _ in answers[min(number, answers.count - 1)] }
        dispositions = [disposition]
        self.requests = [requests]
    }

    /// One push, because it takes the full timeout.
    static func endless(
        _ name: String, _ disposition: PushDisposition, _ answer: ScriptedAnswer
    ) -> LaneCase {
        var endless = LaneCase(name, disposition, requests: 1, inTurn: [answer])
        endless.isEndless = true
        return endless
    }

    /// A response that arrives before the request's large body has been read.
    static func early(
        _ name: String, _ disposition: PushDisposition, _ answer: ScriptedAnswer
    ) -> LaneCase {
        var early = LaneCase(name, disposition, requests: 1, inTurn: [answer])
        early.answersEarly = true
        early.bodySize = 4_000_000
        return early
    }

    private static func raw(_ text: String, closes: Bool = false) -> ScriptedAnswer {
        ScriptedAnswer(bytes: Array(text.utf8), closes: closes)
    }

    private static let created = "HTTP/1.1 201 Created\r\nLocation: /news/messages/id-2\r\n"
    private static let patience = [("Retry-After", "7")]
    private static let page = "<html><title>Welcome</title>Please log in</html>"
    private static let error = "<Error><Code>400</Code><Detail>No such luck</Detail></Error>"

    static let answers = [
        LaneCase("accepted", .accepted, .accepted),
        LaneCase("200", .accepted, .status(200, [("Location", "/a/id-3?x")])),
        LaneCase("no Location", .accepted, .status(201)),
        LaneCase("202", .unknown, .status(202)),
        LaneCase("204", .unknown, raw("HTTP/1.1 204 None\r\n\r\n")),
        LaneCase(
            "302", .stop(.notAHub), .status(302, [("Location", "http://portal/")], body: page)),
        LaneCase("400", .rejected, .status(400, body: error)),
        LaneCase("401 twice", .stop(.credentials), requests: 2, .status(401, body: error)),
        LaneCase("403", .stop(.credentials), .status(403)),
        LaneCase(
            "403, Retry-After", .retry(after: .seconds(7), cause: .throttled),
            .status(403, patience)),
        LaneCase("404", .stop(.hubNotFound), .status(404, body: error)),
        LaneCase("408", .unknown, .status(408)),
        LaneCase("413, no XML", .rejected, .status(413, body: "too large\r\n\r\n")),
        LaneCase("429", .retry(after: nil, cause: .throttled), .status(429)),
        LaneCase(
            "429, Retry-After", .retry(after: .seconds(7), cause: .throttled),
            .status(429, patience, body: error)),
        LaneCase(
            "429, Retry-After is a date", .retry(after: .seconds(7), cause: .throttled),
            .status(
                429,
                [
                    ("Date", "Thu, 31 Dec 2026 23:59:53 GMT"),
                    ("Retry-After", "Fri, 01 Jan 2027 00:00:00 GMT"),
                ])),
        LaneCase("500", .unknown, .status(500, body: error)),
        LaneCase("503", .unknown, .status(503)),
        LaneCase(
            "503, Retry-After", .retry(after: .seconds(7), cause: .throttled),
            .status(503, patience)),
        LaneCase(
            "captive portal", .accepted, .status(200, [("Content-Type", "text/html")], body: page)),
        LaneCase("401, then accepted", .accepted, requests: 2, inTurn: [.status(401), .accepted]),
        LaneCase(
            "401 and close, then accepted", .accepted, requests: 2,
            inTurn: [
                raw(
                    "HTTP/1.1 401 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
                    closes: true),
                .accepted,
            ]),
        LaneCase("401, then cut off", .unknown, requests: 2, inTurn: [.status(401), .close]),
    ]

    static let framings = [
        LaneCase(
            "interim answers", .accepted,
            raw(
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: x\r\n\r\n\(created)"
                    + "Content-Length: 0\r\n\r\n")),
        LaneCase(
            "chunked", .accepted,
            raw("\(created)Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n")),
        LaneCase(
            "chunked error", .rejected,
            raw(
                "HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "\(String(error.utf8.count, radix: 16))\r\n\(error)\r\n0\r\n\r\n")),
        LaneCase(
            "Connection: close", .accepted,
            raw("\(created)Connection: close\r\nContent-Length: 0\r\n\r\n", closes: true)),
        LaneCase(
            "HTTP/1.0", .accepted,
            raw("HTTP/1.0 201 Created\r\nLocation: /a/id-4\r\n\r\n", closes: true)),
        LaneCase(
            "body until the end", .rejected, raw("HTTP/1.1 400 Bad\r\n\r\n\(error)", closes: true)),
        LaneCase(
            "huge body", .rejected, .status(400, body: String(repeating: "x", count: 100_000))),
        LaneCase(
            "accepted, body cut off", .accepted,
            .cutOff(after: "\(created)Content-Length: 9\r\n\r\nab")),
        LaneCase(
            "error, body cut off", .rejected,
            .cutOff(after: "HTTP/1.1 400 Bad\r\nContent-Length: 900\r\n\r\n<Error>")),
        LaneCase(
            "accepted, chunk broken", .accepted,
            raw("\(created)Transfer-Encoding: chunked\r\n\r\nzz\r\n")),
        .early("early acceptance", .accepted, .accepted),
        .early("early refusal", .rejected, .status(413)),
    ]

    static let losses = [
        LaneCase("closed", .unknown, .close),
        LaneCase("cut off in the status line", .unknown, .cutOff(after: "HTTP/1.1 20")),
        LaneCase("cut off in the header", .unknown, .cutOff(after: "\(created)Content-Le")),
        LaneCase("another protocol", .unknown, raw("SSH-2.0-OpenSSH_9.2\r\n")),
        LaneCase("no HTTP at all", .unknown, raw("\u{1}\u{2}\u{3}\u{4}\r\n\r\n\r\n")),
        LaneCase("a length that is none", .unknown, raw("\(created)Content-Length: x\r\n\r\n")),
        LaneCase(
            "endless header", .unknown,
            .cutOff(after: created + String(repeating: "x", count: 200_000))),
        .endless("silence", .unknown, .silence),
        .endless("endless drip", .unknown, .dripping(after: "HTTP/1.1 201 Cr")),
        .endless(
            "accepted, endless body", .accepted,
            .dripping(after: "\(created)Content-Length: 9999\r\n\r\n")),
    ]
}
