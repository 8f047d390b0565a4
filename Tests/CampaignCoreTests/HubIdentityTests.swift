import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct HubIdentityTests {
    @Test("Hub names are case-insensitive") func hubNamesAreCaseInsensitive() {
        let hub = HubIdentity(host: "Contoso.ServiceBus.Windows.net", name: "MyHub")
        #expect(hub == HubIdentity(host: "contoso.servicebus.windows.net", name: "myhub"))
        #expect(hub.description == "contoso.servicebus.windows.net/myhub")
    }

    @Test("The local hub is distinguished from another hub at the same address")
    func localHubIsDistinguishedFromAnotherHubAtTheSameAddress() {
        #expect(HubIdentity(host: "local", name: "a") != HubIdentity(host: "127.0.0.1", name: "a"))
    }

    @Test(
        "A hub that was written can be read back",
        arguments: ["local/hub", "127.0.0.1/a", "::1/hub"])
    func hubThatWasWrittenCanBeReadBack(text: String) throws {
        #expect(try #require(HubIdentity(text)).description == text)
    }

    @Test("A hub name without a slash is refused") func hubNameWithoutASlashIsRefused() {
        #expect(HubIdentity("local") == nil)
    }
}
