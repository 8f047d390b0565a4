import TestSupport
import Testing

@Suite(.bounded) struct WireMatcherTests {
    private static let template = [
        "HTTP/1.1 201 Created", "Location: http://{{host}}/hub/{{id=number}}?v=1",
        "?Content-Type: {{any}}", "TrackingId: {{guid}}", "", "<A><B>{{id}}</B><C/></A>", "",
    ]
    private static let answer = """
        HTTP/1.1 201 Created\r
        TrackingId: 00000000-0000-4000-8000-000000000000\r
        content-length: 20\r
        location: http://a:1/hub/42?v=1\r
        Date: today\r
        \r
        <A><B>42</B><C/></A>
        """

    private func difference(_ answer: String) throws -> String? {
        var matcher = WireMatcher(host: "a:1")
        return try matcher.difference(of: answer, from: Self.template)
    }

    @Test("A matching response produces no mismatch, and its values are captured")
    func matchingResponseProducesNoMismatchAndItsValuesAreCaptured() throws {
        var matcher = WireMatcher(host: "a:1")
        #expect(try matcher.difference(of: Self.answer, from: Self.template) == nil)
        #expect(matcher.captured == ["id": "42"])
        let typed = Self.answer.replacing("Date: today", with: "Content-Type: text/plain")
        #expect(try difference(typed) == nil)
    }

    @Test(
        "Any byte that differs produces a mismatch",
        arguments: [
            ("201 Created", "200 OK"), ("TrackingId: 0", "TrackingId: x"),
            ("Date:", "Retry-After:"),
            ("location: http://a:1/hub/42?v=1\r\n", ""), ("<B>42", "<B>43"), ("<C/>", "<C />"),
            ("<A><B>", "<A>\n<B>"), ("<C/>", ""), ("</A>", "</A>\n"), ("a:1", "a:2"),
            ("content-length: 20", "content-length: 21"),
        ])
    func anyByteThatDiffersProducesAMismatch(text: String, other: String) throws {
        let answer = Self.answer.replacing(text, with: other)
        #expect(answer != Self.answer)
        #expect(try difference(answer) != nil)
        #expect(try difference("") != nil)
    }

    @Test("A mismatch reports the lines that differ") func mismatchReportsTheLinesThatDiffer()
        throws
    {
        #expect(
            try difference(Self.answer.replacing("<C/>", with: "<D/>")) == """
                  HTTP/1.1 201 Created
                  location: http://a:1/hub/42?v=1
                  trackingid: 00000000-0000-4000-8000-000000000000
                  
                  <A>
                  <B>42</B>
                - <C/>
                + <D/>
                  </A>
                """)
    }

    @Test("An unreadable fixture produces an error") func unreadableFixtureProducesAnError() {
        #expect(throws: WireFixtureError.self) { try WireFixture("nonsense") }
        #expect(throws: WireFixtureError.self) { try WireFixture(">>> a\nGET / HTTP/1.1\n") }
        #expect(throws: WireFixtureError.self) {
            try WireRequest(["GET /{{nothing}} HTTP/1.1"], host: "a", captured: [:])
        }
    }
}
