import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct HubIdentityTests {
    @Test func aHubIsTheSameHoweverItsCaseIsWritten() {
        let hub = HubIdentity(host: "Contoso.ServiceBus.Windows.net", name: "MyHub")
        #expect(hub == HubIdentity(host: "contoso.servicebus.windows.net", name: "myhub"))
        #expect(hub.description == "contoso.servicebus.windows.net/myhub")
    }

    @Test func theLocalHubIsNeverProduction() {
        #expect(HubIdentity(host: "local", name: "a") != HubIdentity(host: "127.0.0.1", name: "a"))
    }

    @Test(arguments: ["local/hub", "127.0.0.1/a", "::1/hub"])
    func whatWasWrittenIsReadBack(text: String) throws {
        #expect(try #require(HubIdentity(text)).description == text)
    }

    @Test func aTextWithoutASlashIsNoHub() {
        #expect(HubIdentity("local") == nil)
    }
}
