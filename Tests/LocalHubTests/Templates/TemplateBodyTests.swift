import HTTPTypes
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct TemplateBodyTests {
    private static let properties = ["Name": "Ann \"A\" <b>", "n": "12", "long": "abcdefghij"]

    @Test(
        "Template expressions are rendered",
        arguments: [
            ("plain", "plain"), ("$(name)", "Ann \"A\" <b>"), ("$( NAME )", "Ann \"A\" <b>"),
            ("a$(missing)b", "ab"), ("$(long,3)", "abc"), ("$(long,99)", "abcdefghij"),
            (".(long,6)", "abc..."), (".(long,10)", "abcdefghij"), (".(long,2)", ".."),
            ("%(name)", "Ann%20%22A%22%20%3Cb%3E"), ("#(n)", "12"), ("#(name)", "Ann \"A\" <b>"),
            ("{'Hi ' + $(long,2)}", "Hi ab"), ("{ $(n) + ' of ' + \"ten\" }", "12 of ten"),
            ("{\"a\":\"$(name)\"}", "{\"a\":\"Ann \\\"A\\\" <b>\"}"),
            ("{\"a\":\"{'it: ' + $(name)}\"}", "{\"a\":\"it: Ann \\\"A\\\" <b>\"}"),
            ("{\"a\":#(n)}", "{\"a\":12}"),
            ("<t>$(name)</t>", "<t>Ann &quot;A&quot; &lt;b&gt;</t>"),
            // A body that is a single expression is neither JSON nor XML.
            (" {$(name) + '!'}", " Ann \"A\" <b>!"),
            // A number that fills a JSON string loses its quotes; any other text keeps them, and so
            // does a member name.
            ("{\"a\":\"#(n)\"}", "{\"a\":12}"),
            ("{\"a\":\"#(name)\"}", "{\"a\":\"Ann \\\"A\\\" <b>\"}"),
            ("{\"a\":\"#(missing)\"}", "{\"a\":\"\"}"), ("{\"#(n)\" : 1}", "{\"12\" : 1}"),
            ("{\"a\":\"#(n) of #(n)\"}", "{\"a\":\"12 of 12\"}"),
            ("{\"a\":\"\\\"#(n)\"}", "{\"a\":\"\\\"12\"}"),
            ("{\"a\":\"$(n)#(n)\"}", "{\"a\":\"1212\"}"),
            ("{\"a\":\"{#(n)}\"}", "{\"a\":\"12\"}"),
            // Outside a JSON string, an expression is a complete value.
            ("{\"a\":$(n)}", "{\"a\":12}"), ("[$(long,2),%(long)]", "[\"ab\",\"abcdefghij\"]"),
            ("{\"a\":{'it: ' + $(n)}}", "{\"a\":\"it: 12\"}"),
            ("{\"a\":1,$(n):2}", "{\"a\":1,\"12\":2}"),
            ("<t a=\"#(n)\"/>", "<t a=\"12\"/>"),
            ("a. (b) $ (c) { d }", "a. (b) $ (c) { d }"), ("etc.(see)", "etc.(see)"), ("", ""),
        ])
    func templateExpressionsAreRendered(text: String, expected: String) throws {
        #expect(try TemplateBody(text).rendered(with: Self.properties) == expected)
    }

    @Test(
        "An invalid template expression returns 400",
        arguments: [
            "$(", "$()", "$(a b!)", "$(a,b)", "$(a,-1)", "$(a,1,2)", "#(a,1)", "{'a", "{'a'",
            "{'a' +}",
            "{'a' $(b)}", "{'a' + b}", "{\"a\":\"\\$(v)\"}",
            "$(\(String(repeating: "a", count: 121)))",
            String(repeating: "$(a)", count: 1_001),
        ])
    func invalidTemplateExpressionReturns400(text: String) {
        let failure = #expect(throws: HubFailure.self) { try TemplateBody(text) }
        #expect(failure?.status == .badRequest)
    }

    @Test("A body that would be too large is not rendered")
    func bodyThatWouldBeTooLargeIsNotRendered() throws {
        let value = ["a": String(repeating: "x", count: 60_000)]
        #expect(try TemplateBody("$(a)").rendered(with: value)?.utf8.count == 60_000)
        #expect(
            try TemplateBody(String(repeating: "$(a)", count: 900)).rendered(with: value) == nil)
    }

    @Test(
        "Values cannot add structure to a JSON body",
        arguments: [
            "\"a\":$(v)", "\"a\":#(v)", "\"a\":\"$(v)\"", "\"a\":\"#(v)\"", "\"a\":{$(v) + 'x'}",
        ],
        ["1,\"b\":2", "\",\"b\":\"", "}", "true", "007", "1e", "\\", "\u{0}", "-1.5e+3"])
    func valuesCannotAddStructureToAJSONBody(member: String, value: String) throws {
        let body = try #require(try TemplateBody("{\(member)}").rendered(with: ["v": value]))
        let members = try #require(JSONValue.read(body.utf8)?.members)
        #expect(Array(members.keys) == ["a"])
    }

    @Test(
        "Numbers with very many digits are rendered as strings",
        arguments: [(64, true), (65, false)])
    func numbersWithVeryManyDigitsAreRenderedAsStrings(length: Int, isNumber: Bool) throws {
        let digits = String(repeating: "1", count: length)
        #expect(
            try TemplateBody("[#(a)]").rendered(with: ["a": digits])
                == (isNumber ? "[\(digits)]" : "[\"\(digits)\"]"))
    }

    @Test(
        "Values cannot add structure to an XML body",
        arguments: [
            ("<t a='$(v)'/>", "<t a='&apos;&quot;&lt;&gt;&amp;\u{FFFD}'/>"),
            ("<t a=\"$(v)\"/>", "<t a=\"&apos;&quot;&lt;&gt;&amp;\u{FFFD}\"/>"),
            ("<t>{'<' + $(v)}</t>", "<t>&lt;&apos;&quot;&lt;&gt;&amp;\u{FFFD}</t>"),
        ])
    func valuesCannotAddStructureToAnXMLBody(text: String, expected: String) throws {
        let value = "'\"<>&\u{1}"
        #expect(try TemplateBody(text).rendered(with: ["v": value]) == expected)
    }

    @Test(
        "Joining marks do not prevent escaping in XML",
        arguments: [("'", "&apos;"), ("\"", "&quot;"), ("<", "&lt;"), ("&", "&amp;")])
    func joiningMarksDoNotPreventEscapingInXML(sign: String, escaped: String) throws {
        for marked in JoiningMarks.around(sign) {
            let expected = marked.unicodeScalars.map { scalar in
                String(scalar) == sign ? escaped : String(scalar)
            }.joined()
            #expect(
                try TemplateBody("<t a='$(v)'/>").rendered(with: ["v": marked])
                    == "<t a='\(expected)'/>")
        }
    }

    @Test("A rendered JSON body is always valid JSON")
    func renderedJSONBodyIsAlwaysValidJSON() throws {
        var random = SeededGenerator(seed: 7)
        let pieces = [
            "$(", ")", "{", "}", "'", "\"", "+", ",", "a", "1", ".(", "%(", "#(", " ", "ü", "\\",
            "$",
        ]
        var read = 0
        // Each pair of pieces occurs about thirty times.
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            do {
                _ = try TemplateBody(text).rendered(with: ["a": text])
                read += 1
            } catch {
                #expect(error.status == .badRequest)
            }
            let json = try TemplateBody("{\"a\":\"$(a)\",\"b\":#(a),\"c\":\"#(a)\"}").rendered(
                with: ["a": text])
            #expect(try #require(JSONValue.read((json ?? "").utf8)).members?["a"]?.text == text)
        }
        #expect(read > 250)
    }
}
