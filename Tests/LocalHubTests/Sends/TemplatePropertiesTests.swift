import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct TemplatePropertiesTests {
    @Test(arguments: [
        (#"{"Name":"Ann","b":""}"#, ["name": "Ann", "b": ""]), ("{}", [:]),
        (#"{"a":null,"b":"x"}"#, ["b": "x"]), (#"{"A":"1","a":"2"}"#, ["a": "1"]),
    ])
    func theBodyIsAFlatObjectOfStrings(body: String, values: [String: String]) throws {
        #expect(try TemplateProperties(Array(body.utf8)).values == values)
    }

    @Test(arguments: [
        "", "[]", "{", #"{"a":1}"#, #"{"a":{"b":"c"}}"#, #"{"a":["SECRET"]}"#, "\"a\"",
    ])
    func anythingElseIs400(body: String) {
        #expect(
            throws: HubFailure.badRequest(
                "The payload of a template send is not a flat JSON object of strings.")
        ) { try TemplateProperties(Array(body.utf8)) }
    }

    @Test func theSendsPropertiesWinOverTheDevicesVariablesWhateverTheirCase() throws {
        let registration = Registration(
            id: "1", platform: .apns, channel: .handle("A"), tags: [],
            pushVariables: ["NAME": "device", "City": "Rome"])
        let properties = try TemplateProperties(Array(#"{"Name":"send"}"#.utf8))
        #expect(properties.merged(into: registration) == ["name": "send", "city": "Rome"])
    }
}
