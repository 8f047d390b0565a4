import TestSupport
import Testing

@testable import CampaignCore

@Suite(.bounded) struct MessageTemplateTests {
    @Test(
        "Text is split into literals and variables",
        arguments: [
            ("", [.literal("")]),
            ("Hello", [.literal("Hello")]),
            ("{{a}}", [.variable(name: "a", fallback: nil)]),
            ("{{ a }}", [.variable(name: "a", fallback: nil)]),
            ("{{\ta}}", [.variable(name: "a", fallback: nil)]),
            ("{{a|}}", [.variable(name: "a", fallback: "")]),
            ("{{a|b|c}}", [.variable(name: "a", fallback: "b|c")]),
            ("{{ a | b c\t}}", [.variable(name: "a", fallback: "b c")]),
            ("{{a| }}", [.variable(name: "a", fallback: "")]),
            ("{{a|{}}", [.variable(name: "a", fallback: "{")]),
            (
                "{{a}}{{b}}",
                [.variable(name: "a", fallback: nil), .variable(name: "b", fallback: nil)]
            ),
            ("{a} }} {", [.literal("{a} }} {")]),
            (
                "Hi {{first_name|there}}, é!",
                [
                    .literal("Hi "), .variable(name: "first_name", fallback: "there"),
                    .literal(", é!"),
                ]
            ),
            ("{{a.b-C_9}}", [.variable(name: "a.b-C_9", fallback: nil)]),
            ("{{ First  Name | you }}", [.variable(name: "First Name", fallback: "you")]),
            ("{{\u{A0}First\u{A0}Name}}", [.variable(name: "First Name", fallback: nil)]),
            ("{{größe|x}}", [.variable(name: "größe", fallback: "x")]),
            ("{{a\n}}", [.variable(name: "a", fallback: nil)]),
        ] as [(String, [MessageTemplate.Segment])])
    func textIsSplitIntoLiteralsAndVariables(source: String, segments: [MessageTemplate.Segment])
        throws
    {
        let template = try MessageTemplate(source)
        #expect(template.segments == segments)
        #expect(template.source == source)
    }

    /// The range of the error is between ‹ and ›.
    @Test(
        "A template error is reported with its position",
        arguments: [
            ("‹{{›", .unclosed),
            ("Hi ‹{{name›", .unclosed),
            ("Hi ‹{{name}›", .unclosed),
            ("{{a}} ‹{{b›", .unclosed),
            ("‹{{a|b ›{{c}}", .unclosed),
            ("é👍 ‹{{}}› b", .emptyName),
            ("‹{{ }}›", .emptyName),
            ("‹{{|there}}›", .emptyName),
            ("a ‹{{first/name}}›", .badName("first/name")),
            ("‹{{👍|x}}›", .badName("👍")),
            ("‹{{{a}}›}", .badName("{a")),
        ] as [(String, MessageTemplateError.Reason)])
    func templateErrorIsReportedWithItsPosition(marked: String, reason: MessageTemplateError.Reason)
        throws
    {
        let scalars = Array(marked.unicodeScalars)
        let start = try #require(scalars.firstIndex(of: "‹"))
        let end = try #require(scalars.firstIndex(of: "›")) - 1
        let source = marked.replacing("‹", with: "").replacing("›", with: "")
        #expect(throws: MessageTemplateError(reason: reason, range: start..<end)) {
            try MessageTemplate(source)
        }
    }

    @Test("All errors in a text are reported, and its other parts are read")
    func allErrorsInATextAreReportedAndItsOtherPartsAreRead() {
        let reading = MessageTemplateReading("Hi {{}} {{a+b}}{{c|d}} {{e {{f}} {{g")
        #expect(
            reading.errors == [
                MessageTemplateError(reason: .emptyName, range: 3..<7),
                MessageTemplateError(reason: .badName("a+b"), range: 8..<15),
                MessageTemplateError(reason: .unclosed, range: 23..<27),
                MessageTemplateError(reason: .unclosed, range: 33..<36),
            ])
        let fault = MessageTemplate.Segment.variable(name: "", fallback: nil)
        #expect(
            reading.template.segments == [
                .literal("Hi "), fault, .literal(" "), fault, .variable(name: "c", fallback: "d"),
                .literal(" "), fault, .variable(name: "f", fallback: nil), .literal(" "), fault,
            ])
        #expect(reading.places == [3..<7, 8..<15, 15..<22, 23..<27, 27..<32, 33..<36])
    }

    @Test("A variable name has at most 64 characters")
    func variableNameHasAtMost64Characters() throws {
        let name = String(repeating: "n", count: 64)
        #expect(try MessageTemplate("{{\(name)}}").variables == [name])
        #expect(throws: MessageTemplateError(reason: .badName(name + "n"), range: 0..<69)) {
            try MessageTemplate("{{\(name)n}}")
        }
    }

    @Test(
        "A template is filled in with a person's values",
        arguments: [
            ("Hi {{name|there}}!", ["name": "Ann"], "Hi Ann!"),
            ("Hi {{name|there}}!", ["name": ""], "Hi there!"),
            ("Hi {{name|there}}!", [:], "Hi there!"),
            ("Hi{{name|}}!", [:], "Hi!"),
            ("{{a}}{{b}}{{a}}", ["a": "1", "b": "2"], "121"),
            ("{{a}}", ["a": "{{b}}", "b": "no"], "{{b}}"),
            ("plain", [:], "plain"),
            ("{{a}}", ["a": "\"<é👍>\"\n"], "\"<é👍>\"\n"),
        ])
    func templateIsFilledInWithAPersonsValues(
        source: String, values: [String: String], text: String
    ) throws {
        #expect(try MessageTemplate(source).render { values[$0] } == text)
    }

    @Test("A missing variable without a default causes an error", arguments: [[:], ["name": ""]])
    func missingVariableWithoutADefaultCausesAnError(values: [String: String]) throws {
        let template = try MessageTemplate("Hi {{name}}")
        #expect(throws: MissingVariable(name: "name")) { try template.render { values[$0] } }
    }

    @Test(
        "A value in a URL is percent-encoded",
        arguments: [
            ("AZaz09-._~", "AZaz09-._~"), ("a b", "a%20b"),
            ("a/b?c=d&e#f", "a%2Fb%3Fc%3Dd%26e%23f"),
            ("é", "%C3%A9"), ("👍", "%F0%9F%91%8D"), ("100%", "100%25"), ("\n\"", "%0A%22"),
        ])
    func valueInAURLIsPercentEncoded(value: String, encoded: String) throws {
        let template = try MessageTemplate("https://example.com/a b?q={{v}}")
        #expect(
            try template.render(encoding: .urlPart) { _ in value }
                == "https://example.com/a b?q=" + encoded)
    }

    @Test("The literal parts and defaults of a URL are kept as written")
    func literalPartsAndDefaultsOfAURLAreKeptAsWritten() throws {
        let template = try MessageTemplate("https://example.com/?a=b&c={{v|x=y}}")
        #expect(
            try template.render(encoding: .urlPart) { _ in nil }
                == "https://example.com/?a=b&c=x=y")
    }
}
