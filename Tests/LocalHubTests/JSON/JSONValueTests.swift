import Testing

@testable import LocalHub

struct JSONValueTests {
    @Test func everyKindOfValueIsReadAndWritten() throws {
        let text = #" {"a":[true,false,1,0,-1.5,null,"s\"\u0001"],"b":{}} "#
        let value = try #require(JSONValue.read(text.utf8))
        #expect(
            value
                == .object([
                    "a": .array([
                        .bool(true), .bool(false), .number(1), .number(0), .number(-1.5), .null,
                        .string("s\"\u{1}"),
                    ]), "b": .object([:]),
                ]))
        #expect(value.json == #"{"a":[true,false,1,0,-1.5,null,"s\"\u0001"],"b":{}}"#)
        #expect(JSONValue.read(value.json.utf8) == value)
    }

    @Test(arguments: [
        "", "{", "[1,]x", "{\"a\"}", "1e400", "nul", "\"\\ud800\"",
        String(repeating: "[", count: 60_000),
        String(repeating: "{\"a\":", count: 12_000),
        String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000),
    ])
    func whatIsNoJSONOrTooDeepIsRefused(text: String) {
        #expect(JSONValue.read(text.utf8) == nil)
    }

    /// A decoder that tries one type after the other takes minutes for this.
    @Test(.timeLimit(.minutes(1)))
    func manyValuesDeepInsideAreReadAtOnce() throws {
        let leaves = Array(repeating: "[]", count: 20_000).joined(separator: ",")
        let text =
            String(repeating: "[", count: 500) + leaves + String(repeating: "]", count: 500)
        var value = try #require(JSONValue.read(text.utf8))
        for _ in 1..<500 {
            guard case .array(let values) = value, values.count == 1 else { break }
            value = values[0]
        }
        #expect(value == .array(Array(repeating: .array([]), count: 20_000)))
    }
}
