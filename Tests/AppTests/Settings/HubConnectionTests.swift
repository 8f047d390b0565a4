import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct HubConnectionTests {
    /// Whether the hub accepts the other key is unknown at that moment.
    @Test func aRefusalOfTheFirstKeyNamesBothSettings() throws {
        let first = try HubChoice.connectionString(
            "Endpoint=http://127.0.0.1:9/;SharedAccessKeyName=a;SharedAccessKey=b2xk", from: "ONE")
        var connection = HubConnection(
            first, name: try HubChoice.hubName("hub"), setting: "ONE")
        try connection.take(secondary: first, from: "TWO")
        #expect(
            connection.refusalOfFirst
                == "The hub refuses the key of ONE, which has to be corrected. That of TWO is used from now on; if the hub refuses it too, both have to be."
        )
    }
}
