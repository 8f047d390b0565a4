import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct TemplatePropertiesTests {
    @Test(
        "Template properties are a flat object of strings",
        arguments: [
            (#"{"Name":"Ann","b":""}"#, ["name": "Ann", "b": ""]), ("{}", [:]),
            (#"{"a":null,"b":"x"}"#, ["b": "x"]), (#"{"A":"1","a":"2"}"#, ["a": "1"]),
        ])
    func templatePropertiesAreAFlatObjectOfStrings(body: String, values: [String: String]) throws {
        #expect(try TemplateProperties(Array(body.utf8)).values == values)
    }

    @Test(
        "Any other template body returns 400",
        arguments: [
            "", "[]", "{", #"{"a":1}"#, #"{"a":{"b":"c"}}"#, #"{"a":["SECRET"]}"#, "\"a\"",
        ])
    func anyOtherTemplateBodyReturns400(body: String) {
        #expect(
            throws: HubFailure.badRequest(
                "The payload of a template send is not a flat JSON object of strings.")
        ) { try TemplateProperties(Array(body.utf8)) }
    }

    @Test("Properties of the send override device variables")
    func propertiesOfTheSendOverrideDeviceVariables() throws {
        let registration = Registration(
            id: "1", platform: .apns, channel: .handle("A"), tags: [],
            pushVariables: ["NAME": "device", "City": "Rome"])
        let properties = try TemplateProperties(Array(#"{"Name":"send"}"#.utf8))
        #expect(properties.merged(into: registration) == ["name": "send", "city": "Rome"])
    }
}
