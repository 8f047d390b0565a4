import Foundation
import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct BrowserSubscriptionTests {
    private static let subscription =
        #"{"endpoint":"https://push.example/1","expirationTime":null,"keys":{"p256dh":"BKey","auth":"Secret"}}"#

    private func parts(_ handle: String?, seed: String = "a") -> [String] {
        guard
            case .browser(let endpoint, let p256dh, let auth) = BrowserSubscription(
                handle: handle, seed: seed
            ).channel
        else { return [] }
        return [endpoint, p256dh, auth]
    }

    @Test(
        "A subscription is read in the spelling of browsers and in that of the hub",
        arguments: [
            subscription, #"{"endpoint":"https://push.example/1","p256dh":"BKey","auth":"Secret"}"#,
        ])
    func subscriptionIsReadInTheSpellingOfBrowsersAndInThatOfTheHub(handle: String) {
        #expect(parts(handle) == ["https://push.example/1", "BKey", "Secret"])
    }

    @Test("Missing subscription parts are generated identically at each start")
    func missingSubscriptionPartsAreGeneratedIdenticallyAtEachStart() throws {
        let named = parts("https://push.example/1")
        #expect(named.first == "https://push.example/1")
        let madeUp = parts(nil)
        #expect(madeUp == parts(nil))
        #expect(madeUp != parts(nil, seed: "b"))
        // 65 and 16 bytes in Base64url without padding (RFC 8291, sections 3.1 and 3.2).
        #expect(madeUp.dropFirst().map(\.utf8.count) == [87, 22])
        #expect(madeUp[1].hasPrefix("B"))
        #expect(madeUp.allSatisfy { !$0.contains("=") })
        #expect(URL(string: madeUp[0])?.scheme == "https")
    }

    @Test("Clients receive a configured subscription unchanged")
    func clientsReceiveAConfiguredSubscriptionUnchanged() async throws {
        let hub = try HubUnderTest {
            $0.devices = [
                LocalHubDevice(user: "alice", platform: .browser, handle: Self.subscription),
                LocalHubDevice(user: "bob", platform: .adm, handle: "amzn1.adm-registration.v3.x"),
            ]
        }
        let list = try await hub.request(.get, "/hubsend/registrations?api-version=2020-06").text
        for element in [
            "<Endpoint>https://push.example/1</Endpoint>", "<P256DH>BKey</P256DH>",
            "<Auth>Secret</Auth>",
            "<AdmRegistrationId>amzn1.adm-registration.v3.x</AdmRegistrationId>",
        ] {
            #expect(list.contains(element), "\(element)")
        }
        _ = try await hub.send(#"{"message":"Hi"}"#, format: "browser", tags: "username:alice")
        _ = try await hub.send(
            #"{"data":{"message":"Hi"},"expiresAfter":60}"#, format: "adm",
            tags: "username:bob")
        #expect(await hub.server.received(by: "alice").map(\.outcome) == [.success])
        #expect(await hub.server.received(by: "bob").map(\.outcome) == [.success])
    }
}
