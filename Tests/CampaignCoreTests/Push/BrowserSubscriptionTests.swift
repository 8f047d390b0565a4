import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct BrowserSubscriptionTests {
    @Test(
        "A subscription is read in the form of browsers and in that of the hub",
        arguments: [
            #"{"endpoint":"https://push.example/1","expirationTime":null,"keys":{"p256dh":"BK-_","auth":"Se="}}"#,
            #"{"auth":"Se=","endpoint":"https://push.example/1","p256dh":"BK-_"}"#,
        ])
    func subscriptionIsReadInTheFormOfBrowsersAndInThatOfTheHub(handle: String) throws {
        let subscription = try #require(BrowserSubscription(handle: handle))
        #expect(subscription.endpoint == "https://push.example/1")
        #expect(subscription.p256dh == "BK-_" && subscription.auth == "Se=")
        #expect("\(subscription)" == "BrowserSubscription(hidden)")
    }

    @Test(
        "A malformed subscription is refused",
        arguments: [
            "", "AB12", "{", "{}", "[]", "https://push.example/1",
            #"{"endpoint":"https://push.example/1"}"#,
            #"{"endpoint":"https://push.example/1","keys":{"p256dh":"BK"}}"#,
            #"{"endpoint":"https://push.example/1","keys":{"p256dh":"","auth":"S"}}"#,
            #"{"endpoint":"https://push.example/1","keys":{"p256dh":"B K","auth":"S"}}"#,
            #"{"endpoint":"http://push.example/1","keys":{"p256dh":"BK","auth":"S"}}"#,
            #"{"endpoint":"https://push.example/\u000a1","keys":{"p256dh":"BK","auth":"S"}}"#,
            #"{"endpoint":7,"keys":{"p256dh":"BK","auth":"S"}}"#,
        ])
    func malformedSubscriptionIsRefused(handle: String) {
        #expect(BrowserSubscription(handle: handle) == nil)
    }
}
