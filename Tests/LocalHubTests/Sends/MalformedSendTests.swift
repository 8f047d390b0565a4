import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct MalformedSendTests {
    private func expectRefusal(
        _ response: TestResponse, _ hub: HubUnderTest, _ status: HTTPResponse.Status,
        _ text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(response.status == status, sourceLocation: sourceLocation)
        #expect(
            response.text.hasPrefix("<Error><Code>\(status.code)</Code><Detail>"),
            sourceLocation: sourceLocation)
        #expect(response.text.contains(text), "\(response.text)", sourceLocation: sourceLocation)
        #expect(response.header("TrackingId") != nil, sourceLocation: sourceLocation)
        #expect(hub.server.counts.sends == 0, sourceLocation: sourceLocation)
    }

    @Test(
        "A send in an unknown format returns 400",
        arguments: [
            ("nokiax", "ServiceBusNotification-Format \"nokiax\" is unknown."),
            ("apple, apple", "is unknown."), ("", "is unknown."),
            ("<b>&", "\"&lt;b&gt;&amp;\" is unknown."),
        ])
    func sendInAnUnknownFormatReturns400(format: String, text: String) async throws {
        let hub = try HubUnderTest()
        expectRefusal(try await hub.send(format: format), hub, .badRequest, text)
    }

    @Test(
        "A malformed tag expression returns 400 and sends nothing",
        arguments: [
            ("", "The tag expression is empty"), ("a b", "malformed at character 3"),
            ("a||", "The tag expression is incomplete"),
            ("(((((a", "The tag expression is incomplete"),
            ("username:al ice", "malformed"), ("a, b", "malformed"),
            ((1...21).map { "t\($0)" }.joined(separator: "||"), "more than 20 tags"),
            ((1...7).map { "t\($0)" }.joined(separator: "&&"), "more than 6 tags"),
            (String(repeating: "x", count: 121), "A tag has 121 characters"),
        ])
    func malformedTagExpressionReturns400AndSendsNothing(tags: String, text: String) async throws {
        let hub = try HubUnderTest()
        expectRefusal(try await hub.send(tags: tags), hub, .badRequest, text)
    }

    @Test(
        "A payload that is not a JSON object returns 400",
        arguments: ["", "{", "[]", "\"a\"", "null", "{'a':1}", "{}x", "\u{FEFF}["])
    func payloadThatIsNotAJSONObjectReturns400(body: String) async throws {
        let hub = try HubUnderTest()
        expectRefusal(try await hub.send(body), hub, .badRequest, "payload")
    }

    @Test(
        "A WNS send without a known type returns 400",
        arguments: [
            (nil, "abc"), (nil, "<unknown/>"), (nil, "<?xml"), (nil, "<!--"), (nil, "<"),
            ("wns/other", "<toast/>"), ("", "<toast/>"),
        ] as [(String?, String)])
    func wnsSendWithoutAKnownTypeReturns400(type: String?, body: String) async throws {
        let hub = try HubUnderTest()
        var headers: [String: String] = [:]
        headers["X-WNS-Type"] = type
        expectRefusal(
            try await hub.send(body, format: "windows", headers: headers), hub, .badRequest,
            "X-WNS-Type")
    }
}
