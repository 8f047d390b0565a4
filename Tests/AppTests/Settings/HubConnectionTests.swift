import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct HubConnectionTests {
    /// When this message is printed, it is not known whether the hub accepts the second key.
    @Test("The warning about a refused key names both settings")
    func warningAboutARefusedKeyNamesBothSettings() throws {
        let first = try HubChoice.connectionString(
            "Endpoint=http://127.0.0.1:9/;SharedAccessKeyName=a;SharedAccessKey=b2xk", from: "ONE")
        var connection = HubConnection(
            first, name: try HubChoice.hubName("hub"), setting: "ONE")
        try connection.add(secondary: first, from: "TWO")
        #expect(
            connection.refusalOfFirst
                == "The hub refused the key in ONE, so hubsend now uses the one in TWO. Correct the first key; if the hub refuses the second key too, correct both."
        )
    }
}
