import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct SendTests {
    @Test("A missing or invalid tracking ID is replaced")
    func missingOrInvalidTrackingIDIsReplaced() async throws {
        let hub = try HubUnderTest()
        let guid = #/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/#
        for odd in [nil, "a b", String(repeating: "x", count: 129)] as [String?] {
            var headers: [String: String] = [:]
            headers["TrackingId"] = odd
            let response = try await hub.send(headers: headers)
            let id = try #require(response.header("TrackingId"))
            #expect(id.wholeMatch(of: guid) != nil, "\(id)")
            #expect(response.header("x-ms-correlation-request-id") != nil)
        }
    }

    @Test("The Location header keeps the spelling of the request's URL")
    func locationHeaderKeepsTheSpellingOfTheRequestsURL() async throws {
        let hub = try HubUnderTest()
        let without = try await hub.send(uri: "/hubsend/messages/")
        #expect(without.header("Location")?.contains("?") == false)
        #expect(without.header("Location")?.contains("//messages") == false)
        let spelled = try await hub.send(uri: "/HUBSEND/Messages/?A=%41")
        let id = try #require(spelled.locationID)
        #expect(spelled.header("Location") == "http://localhost/HUBSEND/Messages/\(id)?A=%41")
        let odd = try await hub.send(uri: "/hubsend/messages?API-Version=a%0D%0Ab%26c")
        #expect(odd.header("Location")?.hasSuffix("?API-Version=a%0D%0Ab%26c") == true)
    }

    @Test(
        "A send is accepted under every spelling of its address",
        arguments: [
            "/hubsend/messages", "/hubsend/messages/", "/HUBSEND/Messages/?api-version=2015-01",
            "/hubsend/messages?test=false", "http://localhost/hubsend/messages",
        ])
    func sendIsAcceptedUnderEverySpellingOfItsAddress(uri: String) async throws {
        let hub = try HubUnderTest { $0.devices = [LocalHubDevice(user: "alice", platform: .apns)] }
        let response = try await hub.send(uri: uri)
        #expect(response.status == .created)
        #expect(await hub.server.received(by: "alice").count == 1)
    }

    @Test("A push arrives with its payload and the relevant headers")
    func pushArrivesWithItsPayloadAndTheRelevantHeaders() async throws {
        let hub = try HubUnderTest { $0.devices = [LocalHubDevice(user: "alice", platform: .apns)] }
        let response = try await hub.send(
            #"{"aps":{"content-available":1},"text":"grün \u0022 😀"}"#, format: "Apple",
            headers: [
                "apns-push-type": "background", "Apns-Priority": "5", "X-Apns-Expiration": "7",
                "Content-Type": "application/json", "X-Other": "no", "User-Agent": "no",
            ])
        let push = try #require(await hub.server.received(by: "alice").first)
        #expect(push.text == #"{"aps":{"content-available":1},"text":"grün \u0022 😀"}"#)
        #expect(
            push.headers == [
                "servicebusnotification-format": "Apple", "content-type": "application/json",
                "apns-push-type": "background", "apns-priority": "5", "x-apns-expiration": "7",
                "apns-expiration": "7",
            ])
        #expect(push.platform == .apns)
        #expect(push.outcome == .success)
        #expect(push.time == HubUnderTest.now)
        #expect(response.header("Location")?.contains(push.notificationID) == true)
    }

    @Test("A send reaches only devices with the tag on the platform")
    func sendReachesOnlyDevicesWithTheTagOnThePlatform() async throws {
        let devices = [
            LocalHubDevice(user: "alice", platform: .apns),
            LocalHubDevice(user: "alice", platform: .fcm),
            LocalHubDevice(user: "bob", platform: .apns),
        ]
        let hub = try HubUnderTest { $0.devices = devices }
        let toAlice = try await hub.send(tags: "username:alice")
        #expect(toAlice.status == .created)
        #expect(await hub.server.received(by: "alice").map(\.platform) == [.apns])
        #expect(await hub.server.received(by: "bob").isEmpty)
        let toBoth = try await hub.send(
            #"{"message":{"data":{"secureId":"x"}}}"#, format: "fcmV1",
            tags: "username:alice || username:bob")
        #expect(toBoth.status == .created)
        #expect(await hub.server.received(by: "alice").map(\.platform) == [.apns, .fcm])
        #expect(await hub.server.received(by: "bob").isEmpty)
    }

    @Test("A send without tags reaches every device of the platform")
    func sendWithoutTagsReachesEveryDeviceOfThePlatform() async throws {
        let devices = ["alice", "bob"].map { LocalHubDevice(user: $0, platform: .apns) }
        let hub = try HubUnderTest { $0.devices = devices }
        let response = try await hub.send(tags: nil)
        #expect(response.status == .created)
        #expect(await hub.server.received(by: "alice").count == 1)
        #expect(await hub.server.received(by: "bob").count == 1)
    }

    @Test("A send that matches nobody is accepted")
    func sendThatMatchesNobodyIsAccepted() async throws {
        let hub = try HubUnderTest()
        let response = try await hub.send(tags: "username:nobody")
        #expect(response.status == .created)
        let counts = hub.server.counts
        #expect(counts.sends == 1)
        #expect(counts.withoutTarget == 1)
        #expect(counts.arrived == 0)
    }

    @Test(
        "The type of a WNS send is read or detected",
        arguments: [
            ("wns/raw", "abc", "wns/raw"), ("WNS/Toast", "<toast/>", "wns/toast"),
            (nil, "<toast><visual/></toast>", "wns/toast"),
            (
                nil, "<?xml version=\"1.0\" encoding=\"utf-16\"?>\n<!-- a --><badge value='1'/>",
                "wns/badge"
            ),
            (nil, "<tile/>", "wns/tile"),
        ] as [(String?, String, String)])
    func typeOfAWNSSendIsReadOrDetected(
        header: String?, body: String, type: String
    ) async throws {
        let hub = try HubUnderTest { $0.devices = [LocalHubDevice(user: "alice", platform: .wns)] }
        var headers = ["X-WNS-Cache-Policy": "cache"]
        headers["X-WNS-Type"] = header
        let response = try await hub.send(body, format: "windows", headers: headers)
        #expect(response.status == .created)
        let push = try #require(await hub.server.received(by: "alice").first)
        #expect(push.headers["x-wns-type"] == type)
        #expect(push.headers["x-wns-cache-policy"] == "cache")
    }

    @Test(
        "A raw WNS notification with a text type returns 400",
        arguments: [
            ("application/xml", true), ("text/plain; charset=utf-8", true),
            ("application/octet-stream", false), ("Application/Octet-Stream ; x=y", false),
            (nil, false),
        ] as [(String?, Bool)])
    func rawWNSNotificationWithATextTypeReturns400(type: String?, isRefused: Bool) async throws {
        let hub = try HubUnderTest { $0.devices = [LocalHubDevice(user: "alice", platform: .wns)] }
        var headers = ["X-WNS-Type": "wns/raw"]
        headers["Content-Type"] = type
        let response = try await hub.send("any", format: "windows", headers: headers)
        #expect(response.status == (isRefused ? .badRequest : .created))
        #expect(
            response.text.hasPrefix(
                "<Error><Code>400</Code><Detail>The content type for a 'wns/raw' notification "
                    + "must be 'application/octet-stream'.TrackingId:") == isRefused)
        #expect(hub.server.counts.sends == (isRefused ? 0 : 1))
    }

    @Test("A send works over a real socket") func sendWorksOverARealSocket() async throws {
        try await HubUnderTest.run(
            { $0.devices = [LocalHubDevice(user: "alice", platform: .apns)] }, setup: .live
        ) { hub in
            for _ in 1...3 {
                let response = try await hub.send()
                #expect(response.status == .created)
            }
            let refused = try await hub.send(token: nil)
            #expect(refused.status == .unauthorized)
            #expect(await hub.server.received(by: "alice").count == 3)
        }
    }
}
