import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct JSONValueTests {
    @Test("Every kind of JSON value is read and written")
    func everyKindOfJSONValueIsReadAndWritten() throws {
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

    @Test(
        "Invalid or too deeply nested JSON is refused",
        arguments: [
            "", "{", "[1,]x", "{\"a\"}", "1e400", "nul", "\"\\ud800\"",
            String(repeating: "[", count: 60_000),
            String(repeating: "{\"a\":", count: 12_000),
            String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000),
        ])
    func invalidOrTooDeeplyNestedJSONIsRefused(text: String) {
        #expect(JSONValue.read(text.utf8) == nil)
    }

    /// A decoder that tries one type after another would take minutes for this.
    @Test("Many values at great depth are read quickly")
    func manyValuesAtGreatDepthAreReadQuickly() throws {
        let leaves = Array(repeating: "[]", count: 20_000).joined(separator: ",")
        let text = String(repeating: "[", count: 500) + leaves + String(repeating: "]", count: 500)
        var value = try #require(JSONValue.read(text.utf8))
        for _ in 1..<500 {
            guard case .array(let values) = value, values.count == 1 else { break }
            value = values[0]
        }
        #expect(value == .array(Array(repeating: .array([]), count: 20_000)))
    }

    /// Trying to cast a container to another type first would convert all of its content at every
    /// level.
    @Test("Many deeply nested values are read quickly")
    func manyDeeplyNestedValuesAreReadQuickly() throws {
        let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        let text = "[" + Array(repeating: deep, count: 600).joined(separator: ",") + "]"
        guard case .array(let values) = try #require(JSONValue.read(text.utf8)) else {
            Issue.record("The value is no array.")
            return
        }
        #expect(values.count == 600)
    }

    @Test(
        "JSON that only lenient parsers accept is refused",
        arguments: ["[1,]", #"{"a":1,}"#, "[1 2]", "{a:1}", "'a'", "[01]", "// c\n1"])
    func jsonThatOnlyLenientParsersAcceptIsRefused(text: String) {
        #expect(JSONValue.read(text.utf8) == nil)
        #expect(
            JSONValue.read(Array(text.utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }) == nil)
    }

    @Test("JSON in encodings other than UTF-8 is refused")
    func jsonInEncodingsOtherThanUTF8IsRefused() {
        #expect(JSONValue.read(#"{"a":1}"#.utf16.flatMap { [UInt8($0 & 255), 0] }) == nil)
    }
}
